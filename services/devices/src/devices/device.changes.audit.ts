import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AuditAction } from '@warren/rules/audit';
import { deviceTarget } from '../events/device.audit.ts';
import type { DeviceRow } from './device.row.ts';

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
