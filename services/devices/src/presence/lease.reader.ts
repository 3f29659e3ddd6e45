import { Injectable } from '@nestjs/common';
import { liveReplicaIds } from '@warren/platform/broker/directory';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { LEASE_MS, LeaseTrust } from './lease-trust.ts';

/** Reads which tunnels replicas are alive. */
@Injectable()
export class LeaseReader {
  private readonly trust = new LeaseTrust();

  constructor(private readonly redis: RedisLink) {
    // A new connection can mean a new, empty server.
    redis.client.on('ready', () => this.trust.doubt());
  }

  /** Lease duration, in milliseconds. */
  static readonly leaseMs = LEASE_MS;

  /**
   * The ids of the replicas whose lease holds.
   * @returns undefined if Redis does not answer: unknown is not dead
   */
  async live(): Promise<Set<string> | undefined> {
    try {
      const { now, ids } = await liveReplicaIds(this.redis);
      return this.trust.believes(now) ? new Set(ids) : undefined;
    } catch {
      this.trust.doubt();
      return undefined;
    }
  }
}
