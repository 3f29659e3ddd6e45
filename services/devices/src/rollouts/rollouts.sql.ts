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

export async function readRollout(manager: EntityManager, id: string): Promise<RolloutRow | undefined> {
  const [row] = await manager.query<RolloutRow[]>(`${SELECT_ROLLOUT} WHERE o.id = $1`, [id]);
  return row;
}

/** Waits for other starts and changes of rollouts, until the transaction ends: two that start at once must see each other. */
export async function lockStarts(manager: EntityManager): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('warren.rollouts'))`);
}
