import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { streamFailingSeconds, streamsFailing } from '../../telemetry/metrics.ts';
import { StreamSecrets } from '../store/stream.secrets.ts';
import type { StreamRow } from '../store/streams.sql.ts';
import { delayAfter } from './backoff.ts';
import { claimStreams, releaseFailed, streamStates } from './delivery.sql.ts';
import { Sender } from './sender.ts';
import { Turn } from './turn.ts';

const EVERY_MS = 1_000;
const STATES_MS = 15_000;
/** Longer than an attempt takes; a stream of a process that died waits so long. */
const LEASE_SECONDS = 25;
/** Streams of this process at a time. A dead receiver holds one for 10 seconds, then for none until its delay is over. */
const SLOTS = 16;

/** Delivers events to the receivers of all streams. Each stream is one process's at a time. */
@Injectable()
export class Streamer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Streamer.name);
  private readonly lease = { owner: randomUUID(), leaseSeconds: LEASE_SECONDS };
  private readonly running = new Set<Promise<void>>();
  private readonly rounds = new Rounds({
    of: Streamer.name,
    everyMs: EVERY_MS,
    failed: 'Streams of audit events could not be looked up',
    round: () => this.round(),
  });
  private readonly states = new Rounds({
    of: Streamer.name,
    everyMs: STATES_MS,
    failed: 'The states of audit streams could not be read',
    round: async () => {
      await this.count();
      await this.secrets.forgetExpired();
    },
  });
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly sender: Sender,
    private readonly secrets: StreamSecrets,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
    this.states.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all([this.rounds.stop(), this.states.stop()]);
    await Promise.all(this.running);
  }

  private async round(): Promise<void> {
    const free = SLOTS - this.running.size;
    if (free === 0 || this.stopping) return;
    const { owner, leaseSeconds } = this.lease;
    for (const stream of await claimStreams(this.source, owner, leaseSeconds, free)) {
      const { source, sender, lease } = this;
      const turn = new Turn(stream, { source, sender, lease, continues: () => !this.stopping });
      const work: Promise<void> = turn
        .run()
        .catch((error: unknown) => this.giveUp(stream, error))
        .finally(() => this.running.delete(work));
      this.running.add(work);
    }
  }

  /** A database that is away fails here as well; the lease ends then. */
  private async giveUp({ id, failures }: StreamRow, cause: unknown): Promise<void> {
    this.log.error({ err: cause, stream: id }, 'Events of an audit stream could not be read.');
    const { owner } = this.lease;
    const reason = 'The hub could not read the events. The log of the audit service has the reason.';
    await releaseFailed(this.source, { id, owner }, reason, delayAfter(failures + 1)).catch(() => {});
  }

  private async count(): Promise<void> {
    const { failing, failingSeconds } = await streamStates(this.source);
    streamsFailing.set(failing);
    streamFailingSeconds.set(failingSeconds);
  }
}
