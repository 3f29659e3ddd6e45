import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { RecordingStore } from '../store/recording.store.ts';
import { recordingsFailed } from '../telemetry/metrics.ts';
import { RecordingVerifier } from './recording.verifier.ts';
import { claimUnverified, countFailed, keepResult } from './verify.sql.ts';

const EVERY_MS = 60_000;
const AGAIN_DAYS = 30;
/** Bytes that are read in a round, about 4 MiB/s. */
const MOST_BYTES = 256 * 1_048_576;

/** Verifies each recording soon after its end, and again every 30 days, at a bounded rate. */
@Injectable()
export class ContinuousVerification implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ContinuousVerification.name);
  private readonly rounds = new Rounds({
    of: ContinuousVerification.name,
    everyMs: EVERY_MS,
    failed: 'Verifying recordings failed',
    round: () => this.round(),
  });
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly store: RecordingStore,
    private readonly verifier: RecordingVerifier,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  async round(): Promise<void> {
    for (let bytes = 0; bytes < MOST_BYTES && !this.stopping && this.store.problem === undefined;) {
      const claimed = await claimUnverified(this.source, AGAIN_DAYS);
      if (!claimed) break;
      bytes += claimed.stored;
      await this.verify(claimed);
    }
    recordingsFailed.set(await countFailed(this.source));
  }

  private async verify({ id, accountId }: { id: string; accountId: string }): Promise<void> {
    let problems;
    try {
      problems = await this.verifier.verify({ id, accountId });
    } catch (error) {
      await keepResult(this.source, id, undefined);
      throw error;
    }
    const [first] = problems ?? [];
    if (first) this.log.error({ recording: id, account: accountId, problems }, 'A recording is broken.');
    await keepResult(this.source, id, first?.what ?? '');
  }
}
