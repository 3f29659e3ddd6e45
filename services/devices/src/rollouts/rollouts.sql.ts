import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import { IS_FOR, SHOWN_STATE, type RolloutRow } from './rollout.row.ts';

/** Ends in a WHERE or ORDER BY of `rollouts o`. */
const SELECT_ROLLOUT = `
  SELECT o.id, o.version, o.account_id, a.name AS account_name, o.share, o.state, o.why, o.created, o.created_by,
    (SELECT jsonb_object_agg(state, count) FROM
      (SELECT ${SHOWN_STATE} AS state, count(*)::integer AS count FROM rollout_devices r WHERE r.rollout_id = o.id GROUP BY 1) counted
    ) AS counts,
    CASE WHEN o.state IN ('running', 'paused') THEN
      (SELECT count(*)::integer FROM devices d WHERE ${IS_FOR}
        AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.device_id = d.id))
    ELSE 0 END AS waiting
  FROM rollouts o LEFT JOIN accounts a ON a.id = o.account_id`;

/** A rollout that a person starts. */
export interface NewRollout {
  id: string;
  version: string;
  /** Null for all accounts. */
  accountId: string | null;
  /** In percent. */
  share: number;
  /** Name of the person. */
  createdBy: string;
}

/** Counts devices by the version that they run; the 1000 that most run. @param of FROM and WHERE over `devices d` */
export function countVersions(
  sql: Sql,
  { from, values }: { from: string; values: readonly unknown[] },
): Promise<{ version: string; devices: number; connected: number }[]> {
  return sql.query(
    `SELECT d.agent_version AS version, count(*)::integer AS devices, count(*) FILTER (WHERE d.connected)::integer AS connected
     ${from} GROUP BY d.agent_version ORDER BY count(*) DESC LIMIT 1000`,
    [...values],
  );
}

/** Reads rollouts, newest first. */
export function readRollouts(manager: EntityManager, limit: number, offset: number): Promise<RolloutRow[]> {
  return manager.query(`${SELECT_ROLLOUT} ORDER BY o.created DESC, o.id DESC LIMIT $1 OFFSET $2`, [limit, offset]);
}

export async function countRollouts(manager: EntityManager): Promise<number> {
  const [row] = await manager.query<{ total: number }[]>('SELECT count(*)::integer AS total FROM rollouts');
  return row?.total ?? 0;
}

export async function readRollout(manager: EntityManager, id: string): Promise<RolloutRow | undefined> {
  const [row] = await manager.query<RolloutRow[]>(`${SELECT_ROLLOUT} WHERE o.id = $1`, [id]);
  return row;
}

/** Locks a rollout, and reads its columns. */
export async function lockRollout(manager: EntityManager, id: string): Promise<RolloutRow | undefined> {
  const [row] = await manager.query<RolloutRow[]>('SELECT * FROM rollouts WHERE id = $1 FOR UPDATE', [id]);
  return row;
}

/** Waits for other starts and changes of rollouts, until the transaction ends: two that start at once must see each other. */
export async function lockStarts(manager: EntityManager): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('warren.rollouts'))`);
}

/** Finds an open rollout for some of the same devices. @returns its version */
export async function findOverlap(manager: EntityManager, accountId: string | null): Promise<string | undefined> {
  const [other] = await manager.query<{ version: string }[]>(
    `SELECT version FROM rollouts WHERE state IN ('running', 'paused')
       AND (account_id IS NULL OR $1::uuid IS NULL OR account_id = $1) LIMIT 1`,
    [accountId],
  );
  return other?.version;
}

export async function insertRollout(manager: EntityManager, rollout: NewRollout): Promise<void> {
  const { id, version, accountId, share, createdBy } = rollout;
  await manager.query('INSERT INTO rollouts (id, version, account_id, share, created_by) VALUES ($1, $2, $3, $4, $5)', [
    id,
    version,
    accountId,
    share,
    createdBy,
  ]);
}

export async function updateShare(manager: EntityManager, id: string, share: number): Promise<void> {
  await manager.query('UPDATE rollouts SET share = $2 WHERE id = $1', [id, share]);
}
