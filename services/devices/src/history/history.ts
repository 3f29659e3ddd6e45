import { ActivityKind } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';

/** How long what happened is kept, and the longest time that can be looked back, in hours. */
export const KEPT_HOURS = 168;

/** Something that happened to a device, in the account that may know of it. */
export interface Happening {
  kind: ActivityKind;
  deviceId: string;
  accountId: string;
  /** What people called the device then. */
  deviceName: string;
  /** The new name of a renamed device, or what its web service may do now. */
  detail?: string;
  /** Name of who did it; nothing for what happened by itself. */
  actor?: string;
  /** Now, if not given; never later than now. */
  at?: Date;
}

/** Writes what happened, in the transaction that makes it happen: neither is there without the other. */
export async function record(manager: EntityManager, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  const rows = happenings.map(({ kind, deviceId, accountId, deviceName, detail = '', actor = '', at }) => ({
    ...{ kind, device_id: deviceId, account_id: accountId, device_name: deviceName, detail, actor },
    at: at?.toISOString() ?? null,
  }));
  await manager.query(
    `INSERT INTO device_history (at, account_id, device_id, kind, device_name, detail, actor)
     SELECT LEAST(r.at, now()), r.account_id, r.device_id, r.kind, r.device_name, r.detail, r.actor
     FROM jsonb_to_recordset($1) AS r (
       at timestamptz, account_id uuid, device_id uuid, kind smallint, device_name text, detail text, actor text
     )`,
    [JSON.stringify(rows)],
  );
}

/** What people call a device. */
export const calledName = (row: { name: string; custom_name: string }): string => row.custom_name || row.name;

export const presenceKind = (connected: boolean): ActivityKind =>
  connected ? ActivityKind.CONNECTED : ActivityKind.DISCONNECTED;
