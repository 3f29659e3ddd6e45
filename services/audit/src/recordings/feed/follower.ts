import { Logger } from '@nestjs/common';
import { serviceCaller } from '@warren/platform/rpc/caller';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { setTimeout as wait } from 'node:timers/promises';
import { followsFailed } from '../telemetry/feed.metrics.ts';
import { ClaimLost, type RecordingWriter } from '../writer.ts';
import type { RecordingBudget } from './budget.ts';
import type { ClaimedTerminal } from './claims.ts';
import { Following, ProtocolBroken, StoreFailed } from './following.ts';

export interface FollowerParts {
  tunnels: RpcClient<typeof TunnelsService>;
  writer: RecordingWriter;
  budget: RecordingBudget;
  /** The data-plane origin of a replica of tunnels; undefined if it is gone. */
  addressOf(replica: string): Promise<string | undefined>;
  /** This replica's store has failed. */
  storeFailed(): void;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;
const TICKET_MS = 3_000;

type Interruption = 'stream' | 'store' | 'full' | 'claim' | 'device';

/** Records one claimed session until it has ended, or the claim is lost. */
export class Follower {
  private readonly log = new Logger(Follower.name);
  private readonly stopping = new AbortController();
  private following: Following | undefined;
  /** Settles when nothing is written any more. */
  readonly done: Promise<void>;

  constructor(
    readonly terminal: ClaimedTerminal,
    private readonly parts: FollowerParts,
  ) {
    this.done = this.run();
  }

  /** The claim is lost: stops writing at once. */
  stop(): void {
    this.stopping.abort();
    this.following?.stop();
  }

  /** Stores what has come, for the next recorder. Never rejects. */
  async handOver(): Promise<void> {
    this.stopping.abort();
    await this.following?.handOver();
  }

  private async run(): Promise<void> {
    for (let pause = FIRST_RETRY_MS; !this.stopping.signal.aborted; pause = Math.min(2 * pause, LAST_RETRY_MS)) {
      const began = performance.now();
      const isClosed = await this.follow().catch((error: unknown) => void this.interrupted(error));
      if (isClosed) return;
      if (isClosed === false || performance.now() - began > LAST_RETRY_MS) pause = FIRST_RETRY_MS;
      await wait(pause, undefined, { signal: this.stopping.signal, ref: false }).catch(() => {});
    }
  }

  /** @returns true if the recording is closed */
  private async follow(): Promise<boolean> {
    const { tunnels, addressOf } = this.parts;
    const { replica, deviceId, session, claim } = this.terminal;
    const address = await addressOf(replica);
    if (address === undefined) throw new Error('the replica of tunnels is gone');
    const options = { instance: replica, timeoutMs: TICKET_MS };
    const { ticket } = await tunnels.recordTerminal(serviceCaller('audit'), { deviceId, session, claim }, options);
    if (this.stopping.signal.aborted) return false;
    const following = new Following(this.parts.writer, this.parts.budget);
    this.following = following;
    try {
      return await following.run(address, ticket);
    } finally {
      this.following = undefined;
    }
  }

  private interrupted(error: unknown): void {
    if (this.stopping.signal.aborted) return;
    const reason = reasonOf(error);
    followsFailed.inc({ reason });
    if (reason === 'store') this.parts.storeFailed();
    const { deviceId, session } = this.terminal;
    this.log.warn({ device: deviceId, session, reason, err: error }, 'A recording was interrupted.');
  }
}

function reasonOf(error: unknown): Interruption {
  if (error instanceof ClaimLost) return 'claim';
  if (error instanceof ProtocolBroken) return 'device';
  if (!(error instanceof StoreFailed)) return 'stream';
  // The store is well: one account has used up its quota.
  return error.isFull ? 'full' : 'store';
}
