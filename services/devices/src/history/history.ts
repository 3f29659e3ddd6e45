import { ActivityKind } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { insertHistory } from './history.sql.ts';

/** Retention of the history, and the longest time to look back in it, in hours. */
export const KEPT_HOURS = 31 * 24;
/** The same of counts. */
export const COUNTS_KEPT_HOURS = 168;

/** An event of a device, in the account that may see it. */
export interface Happening {
  kind: ActivityKind;
  deviceId: string;
  accountId: string;
  /** The display name at that time. */
  deviceName: string;
  /** The new name of a renamed device, or the new permissions of its web service. */
  detail?: string;
  /** Name of the actor; absent without one. */
  actor?: string;
  /** Defaults to now; never later than now. */
  at?: Date;
}

/** Records events in the transaction of their change, so that both commit or neither. */
export async function record(manager: EntityManager, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  const rows = happenings.map(({ kind, deviceId, accountId, deviceName, detail = '', actor = '', at }) => ({
    kind,
    device_id: deviceId,
    account_id: accountId,
    device_name: deviceName,
    detail,
    actor,
    at: at?.toISOString() ?? null,
  }));
  await insertHistory(manager, rows);
}

/** The display name of a device. */
export const calledName = (row: { name: string; custom_name: string }): string => row.custom_name || row.name;

export const presenceKind = (connected: boolean): ActivityKind =>
  connected ? ActivityKind.CONNECTED : ActivityKind.DISCONNECTED;
