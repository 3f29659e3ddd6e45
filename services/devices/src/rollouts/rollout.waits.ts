import type { EntityManager } from 'typeorm';
import { nextOpening } from '../windows/update.window.ts';
import type { ClosedAccount } from '../windows/update.windows.service.ts';
import type { RolloutWait } from './rollout.row.ts';
import { countWaiting } from './rollout.waits.sql.ts';

/** Finds what rollouts wait for. @returns by their ids, for those that wait */
export async function waitsOf(
  manager: EntityManager,
  rolloutIds: readonly string[],
  closed: readonly ClosedAccount[],
): Promise<Map<string, RolloutWait>> {
  if (closed.length === 0) return new Map();
  const rows = await countWaiting(manager, rolloutIds, idsOf(closed));
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
