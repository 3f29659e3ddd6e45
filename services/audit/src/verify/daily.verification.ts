import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { chainsBroken, chainsVerified } from '../telemetry/metrics.ts';
import { Verifier } from './verifier.ts';
import { lastVerification, keepVerification } from './verify.sql.ts';

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** Verifies all chains once a day, by one of the replicas; each of them shows what was found. */
@Injectable()
export class DailyVerification implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DailyVerification.name);
  private readonly rounds = new Rounds({
    of: DailyVerification.name,
    everyMs: EVERY_MS,
    failed: 'Verifying the audit trail failed',
    round: () => this.round(),
  });
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly verifier: Verifier,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  /** Verifies if the last time is a day ago, and shows the last result. */
  async round(now = new Date()): Promise<void> {
    const last = await lastVerification(this.source);
    if (!last || now.getTime() - last.time.getTime() > DAY_MS) await this.verifyAll(now);
    const shown = await lastVerification(this.source);
    if (!shown) return;
    chainsBroken.set(shown.broken);
    chainsVerified.set(shown.time.getTime() / 1_000);
  }

  private async verifyAll(now: Date): Promise<void> {
    // The claim: other replicas see that it is done today.
    if (
      !(await keepVerification(this.source, { time: now, broken: (await lastVerification(this.source))?.broken ?? 0 }))
    )
      return;
    let broken = 0;
    for (const accountId of await this.verifier.accounts()) {
      if (this.stopping) return;
      const { problems } = await this.verifier.verify(accountId);
      if (problems.length === 0) continue;
      broken++;
      for (const { sequence, what } of problems)
        this.log.error({ account: accountId, sequence: String(sequence), what }, 'The audit trail is broken.');
    }
    await keepVerification(this.source, { time: now, broken });
  }
}
