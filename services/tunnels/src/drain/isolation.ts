import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { liveReplicaIds } from '@warren/platform/broker/directory';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { Lease } from '../broker/lease.ts';
import { Links } from '../links/links.ts';
import { Handover } from './handover.ts';

const ANSWER_MS = 1_000;
/** Renewals of the lease between two checks for other replicas. */
export const LOOK_EVERY = 5;

/**
 * Hands devices over when this replica cannot reach the directory but another one can: its devices cannot be found.
 * If no replica reaches the directory, the directory itself is down, and links stay where they are until it is back.
 */
@Injectable()
export class Isolation implements OnModuleInit {
  private readonly log = new Logger(Isolation.name);
  /** The other replicas, as of the last answer of the directory. */
  private peers: string[] = [];
  private renewals = 0;
  private running = false;

  constructor(
    private readonly lease: Lease,
    private readonly links: Links,
    private readonly handover: Handover,
    private readonly redis: RedisLink,
    @InjectRpc(TunnelsService) private readonly replicas: RpcClient<typeof TunnelsService>,
  ) {}

  onModuleInit(): void {
    this.lease.onRenewed(() => void this.learn());
    this.lease.onLost(() => void this.leave());
  }

  private async learn(): Promise<void> {
    if (this.renewals++ % LOOK_EVERY !== 0) return;
    // Keeps the last known replicas while the directory does not answer.
    const live = await liveReplicaIds(this.redis).catch(() => undefined);
    if (live) this.peers = live.ids.filter((id) => id !== this.lease.replica);
  }

  private async leave(): Promise<void> {
    if (this.running || this.links.count === 0) return;
    this.running = true;
    try {
      if (!(await this.isAlone()) || this.lease.holds) return;
      const devices = this.links.count;
      this.log.warn({ devices }, "The directory can't be reached from here alone; handing devices over.");
      await this.handover.run(true, 'The hub moves this device to another of its processes.');
    } finally {
      this.running = false;
    }
  }

  /** Whether only this replica is cut off: another one still holds its lease. */
  private async isAlone(): Promise<boolean> {
    const ask = async (instance: string) => {
      const { serving } = await this.replicas.getLease(
        serviceCaller('tunnels'),
        {},
        { instance, timeoutMs: ANSWER_MS },
      );
      if (!serving) throw new Error('it can not either');
    };
    return Promise.any(this.peers.map(ask)).then(
      () => true,
      () => false,
    );
  }
}
