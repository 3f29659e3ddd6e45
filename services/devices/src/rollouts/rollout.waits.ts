import type { EntityManager } from 'typeorm';
import { nextOpening } from '../windows/update.window.ts';
import type { ClosedAccount } from '../windows/update.windows.service.ts';
import { IS_FOR, isLost, SHOWN_STATE, type RolloutWait } from './rollout.row.ts';

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

/** Those that failed first, then those that wait for a window. */
export const DEVICES_PAGE = `
  SELECT device_id, CASE WHEN custom_name = '' THEN name ELSE custom_name END AS name, account_id, account_name, state, why,
    from_version, since FROM (${DEVICES}) listed
  ORDER BY state IN ('failed', 'flapping') DESC, state = 'download_failed' DESC, state = 'window' DESC, since DESC, device_id
  LIMIT $3 OFFSET $4`;
export const DEVICES_COUNT = `SELECT count(*)::integer AS total FROM (${DEVICES}) listed`;

/** Finds what rollouts wait for. @returns by their ids, for those that wait */
export async function waitsOf(
  manager: EntityManager,
  rolloutIds: readonly string[],
  closed: readonly ClosedAccount[],
): Promise<Map<string, RolloutWait>> {
  if (closed.length === 0) return new Map();
  const rows = await manager.query<{ id: string; account_id: string; devices: number }[]>(
    `SELECT o.id, d.account_id, count(*)::integer AS devices FROM rollouts o JOIN devices d ON ${IS_FOR}
     WHERE o.id = ANY($1::uuid[]) AND ${WAITS} GROUP BY o.id, d.account_id`,
    [rolloutIds, idsOf(closed)],
  );
  const now = new Date();
  const windows = new Map(closed.map(({ accountId, window }) => [accountId, window]));
  const waits = new Map<string, RolloutWait>();
  for (const { id, account_id: accountId, devices } of rows) {
    const window = windows.get(accountId);
    if (!window) continue;
    const wait = { devices, opens: nextOpening(window, now), timeZone: window.timeZone };
    const other = waits.get(id);
    const first = other && other.opens < wait.opens ? other : wait;
    waits.set(id, { ...first, devices: devices + (other?.devices ?? 0) });
  }
  return waits;
}

export const idsOf = (closed: readonly ClosedAccount[]): string[] => closed.map(({ accountId }) => accountId);
