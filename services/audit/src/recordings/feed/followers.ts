import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { replicaKey } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { recordingsFollowed } from '../telemetry/feed.metrics.ts';
import { RecordingWriter } from '../writer.ts';
import { RecordingBudget } from './budget.ts';
import { RecordingClaims, type ClaimedTerminal } from './claims.ts';
import { Follower, type FollowerParts } from './follower.ts';

const HAND_OVER_MS = 3_000;

/** The recorders of this replica: one for each session that it has claimed. */
@Injectable()
export class Followers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly followers = new Map<string, Follower>();
  /** Addresses of replicas of tunnels that were known last, for when Redis does not answer. */
  private readonly addresses = new Map<string, string>();
  private readonly parts: FollowerParts;

  constructor(
    private readonly claims: RecordingClaims,
    private readonly redis: RedisLink,
    writer: RecordingWriter,
    budget: RecordingBudget,
    @InjectRpc(TunnelsService) tunnels: RpcClient<typeof TunnelsService>,
  ) {
    const addressOf = (replica: string) => this.addressOf(replica);
    this.parts = { tunnels, writer, budget, addressOf, storeFailed: () => this.claims.rest() };
  }

  onApplicationBootstrap(): void {
    this.claims.start((claimed) => this.follow(claimed));
  }

  /** Stores what has come, and lets others take over. */
  async beforeApplicationShutdown(): Promise<void> {
    const all = [...this.followers.values()];
    const late = new Promise((resolve) => setTimeout(resolve, HAND_OVER_MS).unref());
    await Promise.race([Promise.all(all.map((follower) => follower.handOver())), late]);
    for (const follower of all) follower.stop();
    await this.claims.stop();
  }

  private follow(claimed: ReadonlyMap<string, ClaimedTerminal>): void {
    for (const [member, follower] of this.followers) {
      if (claimed.get(member)?.claim === follower.terminal.claim) continue;
      follower.stop();
      this.followers.delete(member);
    }
    for (const [member, terminal] of claimed)
      if (!this.followers.has(member)) this.followers.set(member, new Follower(terminal, this.parts));
    recordingsFollowed.set(this.followers.size);
  }

  private async addressOf(replica: string): Promise<string | undefined> {
    try {
      const address = await this.redis.client.hget(replicaKey(replica), 'address');
      if (address) this.addresses.set(replica, address);
      else this.addresses.delete(replica);
      return address ?? undefined;
    } catch {
      return this.addresses.get(replica);
    }
  }
}
