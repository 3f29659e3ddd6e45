import type { EntityManager } from 'typeorm';
import { IS_FOR, isLost, SHOWN_STATE, type RolloutDeviceRow } from './rollout.row.ts';

/** Whether device `d` of rollout `o` waits for the window of its account, one of those in parameter 2. */
const WAITS = `o.state = 'running' AND d.connected AND d.account_id = ANY($2::uuid[])
  AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.device_id = d.id AND NOT ${isLost('r')})`;

/** The devices of a rollout, and those that wait for a window. */
const DEVICES = `
  SELECT r.device_id, d.name, d.custom_name, d.account_id, d.account_name, ${SHOWN_STATE} AS state, r.why, r.from_version, r.since
  FROM rollout_devices r JOIN devices d ON d.id = r.device_id JOIN rollouts o ON o.id = r.rollout_id
  WHERE r.rollout_id = $1 AND NOT (${isLost('r')} AND ${IS_FOR} AND ${WAITS})
  UNION ALL
  SELECT d.id, d.name, d.custom_name, d.account_id, d.account_name, 'window', '', d.agent_version, o.created
  FROM rollouts o JOIN devices d ON ${IS_FOR} WHERE o.id = $1 AND ${WAITS}`;

const DEVICES_PAGE = `
  SELECT device_id, CASE WHEN custom_name = '' THEN name ELSE custom_name END AS name, account_id, account_name, state, why,
    from_version, since FROM (${DEVICES}) listed
  ORDER BY state IN ('failed', 'flapping') DESC, state = 'download_failed' DESC, state = 'window' DESC, since DESC, device_id
  LIMIT $3 OFFSET $4`;
const DEVICES_COUNT = `SELECT count(*)::integer AS total FROM (${DEVICES}) listed`;

/**
 * Reads a page of a rollout's devices: those that failed first, then those that wait for a window.
 * @param closed the accounts whose windows are closed
 */
export function readDevicesPage(
  manager: EntityManager,
  { id, closed, limit, offset }: { id: string; closed: readonly string[]; limit: number; offset: number },
): Promise<RolloutDeviceRow[]> {
  return manager.query(DEVICES_PAGE, [id, closed, limit, offset]);
}

/** Counts the devices that {@link readDevicesPage} lists. */
export async function countRolloutDevices(
  manager: EntityManager,
  id: string,
  closed: readonly string[],
): Promise<number> {
  const [row] = await manager.query<{ total: number }[]>(DEVICES_COUNT, [id, closed]);
  return row?.total ?? 0;
}

/** Counts the devices of rollouts that wait for the windows of their accounts. @param closed the accounts whose windows are closed */
export function countWaiting(
  manager: EntityManager,
  rolloutIds: readonly string[],
  closed: readonly string[],
): Promise<{ id: string; account_id: string; devices: number }[]> {
  return manager.query(
    `SELECT o.id, d.account_id, count(*)::integer AS devices FROM rollouts o JOIN devices d ON ${IS_FOR}
     WHERE o.id = ANY($1::uuid[]) AND ${WAITS} GROUP BY o.id, d.account_id`,
    [rolloutIds, closed],
  );
}
