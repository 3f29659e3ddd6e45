import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';

const EVERY_MS = 600_000;
const BATCH = 5_000;
/** Maximum batches of a table per round; the next round continues. */
const BATCHES = 200;
/** Two years of bills, and the present month. */
const KEPT = '25 months';
/** Longer than the bus keeps an event, and delivers it again. */
const REPORTS_KEPT = '8 days';

const OLD_HOURS = `DELETE FROM usage_hours WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM usage_hours
  WHERE hour < date_trunc('month', now(), 'UTC') - interval '${KEPT}' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
const OLD_MONTHS = `DELETE FROM usage_months WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM usage_months
  WHERE month < date_trunc('month', now() AT TIME ZONE 'UTC') - interval '${KEPT}' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
const OLD_REPORTS = `DELETE FROM usage_reports WHERE id IN (
  SELECT id FROM usage_reports WHERE received < now() - interval '${REPORTS_KEPT}' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;

/** Removes usage that is older than what is kept, in batches that hold no lock for long. Any number of replicas may do so at once. */
@Injectable()
export class UsageKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: UsageKeeper.name,
    everyMs: EVERY_MS,
    failed: 'Removing old usage failed',
    round: () => this.sweep(),
  });
  private stopping = false;

  constructor(private readonly source: DataSource) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  async sweep(): Promise<void> {
    for (const statement of [OLD_HOURS, OLD_MONTHS, OLD_REPORTS]) {
      for (let batch = 0; batch < BATCHES && !this.stopping; batch++) {
        const [, count] = await this.source.query<[unknown[], number]>(statement);
        if (count < BATCH) break;
      }
    }
  }
}
