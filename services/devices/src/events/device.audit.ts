import { deviceActor, type AuditActorInit } from '@warren/platform/audit/audit.actor';
import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AuditAction } from '@warren/rules/audit';
import type { DeviceRow } from '../devices/device.row.ts';
import { calledName } from '../history/history.ts';

type Named = Pick<DeviceRow, 'id' | 'name' | 'custom_name'>;
type Columns = Partial<DeviceRow>;

/** What people call the columns that they change. */
const FIELDS: Partial<Record<keyof DeviceRow, string>> = {
  custom_name: 'name',
  account_name: 'account',
  ssh_enabled: 'console',
  http_enabled: 'web_service',
  http_port: 'web_port',
  http_ip: 'web_address',
  http_host: 'web_host',
  http_permissions: 'web_permissions',
  vnc_ip: 'desktop_address',
  vnc_port: 'desktop_port',
};

/** A device as the target of an audit event. */
export function deviceTarget(row: Named): { kind: 'device'; id: string; name: string } {
  return { kind: 'device', id: row.id, name: calledName(row) };
}

/** What an audit event repeats of a device that does something to itself. */
export function deviceAsActor({ id, name, accountId }: { id: string; name: string; accountId: string }): {
  accountId: string;
  actor: AuditActorInit;
  target: { kind: 'device'; id: string; name: string };
} {
  return { accountId, actor: deviceActor({ id, name, accountId }), target: { kind: 'device', id, name } };
}

/** The audit events for changed columns of a device: one, or one in each account for a moved device. */
export function deviceAudited(
  caller: Caller,
  { row, action, columns }: { row: DeviceRow; action: AuditAction; columns: Columns },
): Event[] {
  const accounts = new Set([row.account_id, columns.account_id ?? row.account_id]);
  const states = { before: fieldsOf(row, columns), after: fieldsOf(columns, columns) };
  return [...accounts].map((accountId) =>
    auditEvent(caller, { action, accountId, target: deviceTarget(row), ...states }),
  );
}

/** The values of some columns, by their names for people. */
function fieldsOf(values: Columns, columns: Columns): Record<string, unknown> {
  const names = (Object.keys(columns) as (keyof DeviceRow)[]).filter((name) => FIELDS[name]);
  return Object.fromEntries(names.map((name) => [FIELDS[name], values[name]]));
}
