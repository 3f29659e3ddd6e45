import type { BulkActionName } from './bulk.job.entity.ts';
import { switchOf } from './bulk.row.ts';

/** Devices of one job: named by id, and matched by a filter. */
export const MOST_IDS = 1_000;
export const MOST_DEVICES = 50_000;

/** Jobs of one account that run at the same time, and that are kept. */
export const MOST_RUNNING = 2;
export const MOST_KEPT = 50;
export const KEPT_DAYS = 7;

/** Jobs in a list; failures of a job, and devices in all of them. */
export const MOST_LISTED = 20;
export const MOST_FAILURES = 20;
export const MOST_FAILED_DEVICES = 1_000;

/** How fast a job goes: a wave takes `devices`, `atOnce` of them at the same time, and the next one starts `pauseMs` later. */
export interface Pace {
  devices: number;
  atOnce: number;
  pauseMs: number;
}

/** A wave of reboots is back before most of the next ones go. */
const REBOOTS: Pace = { devices: 20, atOnce: 20, pauseMs: 10_000 };
const UPDATES: Pace = { devices: 20, atOnce: 1, pauseMs: 2_000 };
/** Leaves most connections of the pool to people. */
const CHANGES: Pace = { devices: 100, atOnce: 3, pauseMs: 0 };

/** Of switches several devices share a transaction, so that one lane is enough. */
const SWITCHES: Pace = { devices: 200, atOnce: 1, pauseMs: 0 };
/** Devices of such a transaction: it locks them for some milliseconds. */
export const SWITCHED_TOGETHER = 50;

export function paceOf(action: BulkActionName): Pace {
  if (action === 'reboot') return REBOOTS;
  if (action === 'update') return UPDATES;
  return switchOf(action) ? SWITCHES : CHANGES;
}
