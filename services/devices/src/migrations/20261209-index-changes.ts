import { createIndex, OnlineMigration } from '@warren/platform/database/online';
import type { QueryRunner } from 'typeorm';

/** Which events an index has; the same words as in `history.sql.ts`. */
const CHANGES = 'kind NOT IN (2, 3)';

/** Adds indexes of the events that are no change of presence: those are few among the links that come and go. */
export class IndexChanges1796850000000 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    await createIndex(
      runner,
      'device_history_changes_of_account',
      `ON device_history (account_id, at DESC, id DESC) WHERE ${CHANGES}`,
    );
    await createIndex(
      runner,
      'device_history_changes_by_time',
      `ON device_history (at DESC, id DESC) WHERE ${CHANGES}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['device_history_changes_of_account', 'device_history_changes_by_time'])
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
