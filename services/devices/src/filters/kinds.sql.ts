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

/** Kinds of an account that are read: more are of no real fleet, and each is compared with every part of a filter. */
const MOST = 10_000;

const SELECT = 'SELECT k.id, k.os, k.kernel, k.arch, k.model, k.agent_version AS "agentVersion" FROM device_kinds k';

/** Reads the kinds that devices of some accounts have, at most 10,000 of each, or all: many kinds in one account cost the others nothing. */
export function readKinds(sql: Sql, accountIds: readonly string[] | undefined): Promise<Kind[]> {
  if (accountIds === undefined) return sql.query(SELECT);
  // From kind to kind in the index, however many devices have one.
  const next = (account: string) => `SELECT min(n.kind) FROM narrow_devices n WHERE n.account_id = ${account}`;
  return sql.query(
    `WITH RECURSIVE had AS (
       SELECT a.id, (${next('a.id')}) AS kind, 1 AS place FROM unnest($1::uuid[]) a(id)
       UNION ALL SELECT had.id, (${next('had.id')} AND n.kind > had.kind), had.place + 1 FROM had
       WHERE had.kind IS NOT NULL AND had.place < ${MOST}
     )
     ${SELECT} WHERE k.id IN (SELECT had.kind FROM had)`,
    [accountIds],
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
