import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { MEMBERS } from '@warren/platform/broker/keys';
import type { Outbox } from '@warren/platform/events/outbox';
import type { RedisServer } from '@warren/platform/redis/redis.server';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const MAX_RECONNECT_MS = 1_000;
const TIMEOUT_MS = 1_000;

/**
 * Invalidates what gateways keep about members, after each change and before it is answered. If Redis does not take the new version, the
 * answer waits until nothing that was kept before the change is left.
 */
@Injectable()
export class MemberVersion implements OnApplicationShutdown {
  private readonly log = new Logger(MemberVersion.name);
  private readonly redis: Redis;

  constructor(server: RedisServer, outbox: Pick<Outbox, 'afterEach'>) {
    this.redis = server.connect({
      connectionName: 'tenancy',
      commandTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: 1,
      retryStrategy: (attempt) => Math.min(100 * attempt, MAX_RECONNECT_MS),
    });
    // The command that fails because of it is logged.
    this.redis.on('error', () => {});
    // Redis may have lost the version, or this process may have died between a change and its version.
    this.redis.on('ready', () => void this.set().catch(() => {}));
    outbox.afterEach(() => this.renew());
  }

  /** Never fails: what has changed stays changed. */
  async renew(): Promise<void> {
    try {
      await this.set();
    } catch (error) {
      this.log.warn({ err: error }, 'Redis did not take the version of members; the change is answered late.');
      await wait(MEMBERS.keptMs);
    }
  }

  private async set(): Promise<void> {
    await this.redis.set(MEMBERS.version, randomUUID());
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
