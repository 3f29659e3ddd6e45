import type { Sql } from '@warren/platform/database/sql';
import type { DataSource } from 'typeorm';

/** What devices of one kind have in common. */
export interface Kind {
  id: number;
  os: string;
  kernel: string;
  arch: string;
  model: string;
  agentVersion: string;
}

const SELECT = 'SELECT k.id, k.os, k.kernel, k.arch, k.model, k.agent_version AS "agentVersion" FROM device_kinds k';

/** Reads the kinds that devices of an account have, or all: many kinds in one account cost the others nothing. */
export function readKinds(sql: Sql, accountId: string | undefined): Promise<Kind[]> {
  if (accountId === undefined) return sql.query(SELECT);
  // From kind to kind in the index, however many devices have one.
  const next = `SELECT min(n.kind) FROM narrow_devices n WHERE n.account_id = $1`;
  return sql.query(
    `WITH RECURSIVE had AS (
       SELECT (${next}) AS kind
       UNION ALL SELECT (${next} AND n.kind > had.kind) FROM had WHERE had.kind IS NOT NULL
     )
     ${SELECT} JOIN had ON had.kind = k.id`,
    [accountId],
  );
}

/** Deletes kinds that no device has, unless one is being chosen: `narrow_devices()` holds the lock then. */
export function deleteUnusedKinds(source: DataSource): Promise<void> {
  return source.transaction(async (manager) => {
    const [lock] = await manager.query<{ held: boolean }[]>(
      `SELECT pg_try_advisory_xact_lock(hashtext('device_kinds')) AS held`,
    );
    if (!lock?.held) return;
    await manager.query(
      'DELETE FROM device_kinds k WHERE NOT EXISTS (SELECT FROM narrow_devices n WHERE n.kind = k.id)',
    );
  });
}
