import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import { AWAY_MINUTES, BUSY_HOURS, DOWNLOAD_HOURS, WORKING_HOURS } from './rollout.limits.ts';
import type { RolloutEntity } from './rollout.entity.ts';
import { IS_FOR, isLost, isTaken, LOST, type RolloutStateName } from './rollout.row.ts';

/** The states of rollouts with devices that work on them: also of those that paused or ended meanwhile, or whose device was retried. */
export const WITH_DEVICES: readonly RolloutStateName[] = ['running', 'paused', 'done'];

interface Step {
  /** The states of rollouts that it is for. */
  in: readonly RolloutStateName[];
  /** Of rollout $1; $2 are accounts whose windows are closed, if it says so. */
  sql: string;
  windows?: true;
}

/** Whose turn it is, and what has taken too long. */
const OVERDUE: Step[] = [
  {
    in: ['running', 'paused', 'done'],
    // They would begin when the terminals are closed or the download succeeds. Those that a person retried may.
    sql: `DELETE FROM rollout_devices r USING devices d WHERE d.id = r.device_id AND r.rollout_id = $1
      AND r.state IN ('busy', 'download_failed') AND r.retries = 0 AND d.account_id = ANY($2::uuid[])`,
    windows: true,
  },
  {
    in: ['running', 'paused', 'done'],
    // Stays when it has been away before it was asked: it may not even know.
    sql: `UPDATE rollout_devices r SET state = 'failed', blamed = true, why = '${LOST}', since = now() FROM devices d
      WHERE d.id = r.device_id AND r.rollout_id = $1 AND r.state = 'updating' AND r.asked IS NOT NULL AND NOT d.connected
        AND d.status_since < now() - interval '${AWAY_MINUTES} minutes'`,
  },
  {
    in: ['running', 'paused', 'done'],
    sql: `UPDATE rollout_devices SET state = 'failed', blamed = true, why = 'it was not done within ${WORKING_HOURS} hours', since = now()
      WHERE rollout_id = $1 AND state = 'updating' AND GREATEST(since, progressed) < now() - interval '${WORKING_HOURS} hours'`,
  },
  {
    in: ['running', 'paused', 'done'],
    // Nothing to do with the version; and no device may say for ever that it downloads.
    sql: `UPDATE rollout_devices SET state = 'failed', blamed = false, why = 'its download took more than ${DOWNLOAD_HOURS} hours', since = now()
      WHERE rollout_id = $1 AND state = 'updating' AND tried IS NULL AND since < now() - interval '${DOWNLOAD_HOURS} hours'`,
  },
  {
    in: ['running', 'done'],
    // Nothing to do with the version.
    sql: `UPDATE rollout_devices SET state = 'failed', blamed = false, why = 'its terminals stayed open for ${BUSY_HOURS} hours', since = now()
      WHERE rollout_id = $1 AND state = 'busy' AND since < now() - interval '${BUSY_HOURS} hours'`,
  },
  {
    in: ['running'],
    sql: `UPDATE rollout_devices r
      SET state = 'updating', blamed = false, why = '', since = now(), asked = NULL, tried = NULL FROM devices d, rollouts o
      WHERE d.id = r.device_id AND o.id = r.rollout_id AND r.rollout_id = $1 AND ${isLost('r')}
        AND d.connected AND (r.retries > 0 OR d.agent_version = o.version OR NOT d.account_id = ANY($2::uuid[]))`,
    windows: true,
  },
];

/** Reads the ids of rollouts that run, and of others whose devices still work on them. */
export function readActive(sql: Sql): Promise<{ id: string }[]> {
  return sql.query(
    `SELECT id FROM rollouts WHERE state = 'running' OR (state = ANY($1::text[]) AND id IN
       (SELECT rollout_id FROM rollout_devices WHERE state IN ('updating', 'busy')))`,
    [WITH_DEVICES],
  );
}

/**
 * Fails devices that took too long, and moves those whose turn has come or has to wait for a window.
 * @param closed the accounts whose windows are closed
 * @returns the number of changed devices
 */
export async function settleOverdue(
  manager: EntityManager,
  { id, state }: RolloutEntity,
  closed: readonly string[],
): Promise<number> {
  let changed = 0;
  for (const { in: states, sql, windows } of OVERDUE)
    if (states.includes(state))
      changed += (await manager.query<[unknown[], number]>(sql, windows ? [id, closed] : [id]))[1];
  return changed;
}

/** Counts the devices on which the version failed, those that tried it, and those on which it flaps. */
export async function countTried(
  manager: EntityManager,
  id: string,
): Promise<{ failed: number; tried: number; flapping: number } | undefined> {
  const [counted] = await manager.query<{ failed: number; tried: number; flapping: number }[]>(
    `SELECT count(*) FILTER (WHERE state = 'failed' AND blamed)::integer AS failed,
       count(*) FILTER (WHERE state = 'updated' OR (state = 'failed' AND blamed))::integer AS tried,
       count(*) FILTER (WHERE state = 'failed' AND crashes > 0)::integer AS flapping
     FROM rollout_devices WHERE rollout_id = $1`,
    [id],
  );
  return counted;
}

/** Counts the devices that are updating. */
export async function countWorking(manager: EntityManager, id: string): Promise<number> {
  const [working] = await manager.query<{ count: number }[]>(
    `SELECT count(*)::integer AS count FROM rollout_devices WHERE rollout_id = $1 AND state = 'updating'`,
    [id],
  );
  return working?.count ?? 0;
}

/**
 * Begins up to `limit` devices. Leaves out devices that work on another rollout, or go back from one, and those whose account's window is
 * closed.
 */
export function beginDevices(
  manager: EntityManager,
  id: string,
  limit: number,
  closed: readonly string[],
): Promise<{ device_id: string; from_version: string }[]> {
  return manager.query(
    `INSERT INTO rollout_devices (rollout_id, device_id, state, from_version)
     SELECT o.id, d.id, 'updating', d.agent_version FROM rollouts o JOIN devices d ON ${IS_FOR}
     WHERE o.id = $1 AND d.connected AND NOT d.account_id = ANY($2::uuid[]) AND NOT EXISTS (
       SELECT FROM rollout_devices r WHERE r.device_id = d.id AND (r.rollout_id = o.id OR ${isTaken('r')}))
     LIMIT ${limit} ON CONFLICT DO NOTHING RETURNING device_id, from_version`,
    [id, closed],
  );
}

/** Marks devices that run a newer version already. */
export async function markNewer(manager: EntityManager, id: string, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await manager.query(
    `UPDATE rollout_devices SET state = 'newer' WHERE rollout_id = $1 AND device_id = ANY($2::uuid[])`,
    [id, deviceIds],
  );
}

/**
 * Ends a rollout if all devices have it, none works on it, and none that was lost has come back and waits for its window.
 * @returns 1 if it ended, else 0
 */
export async function endIfOver(manager: EntityManager, id: string): Promise<number> {
  const [, count] = await manager.query<[unknown[], number]>(
    `UPDATE rollouts o SET state = 'done' WHERE o.id = $1
       AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.state IN ('updating', 'busy', 'download_failed'))
       AND NOT EXISTS (SELECT FROM rollout_devices r JOIN devices d ON d.id = r.device_id
         WHERE r.rollout_id = o.id AND ${isLost('r')} AND d.connected AND ${IS_FOR})
       AND NOT EXISTS (SELECT FROM devices d WHERE ${IS_FOR}
         AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.device_id = d.id))`,
    [id],
  );
  return count;
}
