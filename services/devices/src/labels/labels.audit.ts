import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import type { Caller } from '@warren/platform/rpc/caller';
import type { Labels } from '@warren/rules/labels';
import { deviceTarget } from '../events/device.audit.ts';
import type { LabelledDevice } from './labels.sql.ts';

/** Devices of one request with an audit event each. Of more, an event of each account counts them. */
export const MOST_AUDITED = 100;

interface Change {
  set: Labels;
  remove: readonly string[];
  /** The labels before, by device; undefined for too many devices. */
  before: ReadonlyMap<string, Labels> | undefined;
}

/** The audit events for devices whose labels changed. */
export function labelsAudited(
  caller: Caller,
  devices: readonly LabelledDevice[],
  { set, remove, before }: Change,
): Event[] {
  const action = 'device.label';
  if (before)
    return devices.map((device) => {
      const was = before.get(device.id) ?? {};
      const kept = Object.entries(was).filter(([key]) => !remove.includes(key));
      const states = { before: { labels: was }, after: { labels: { ...Object.fromEntries(kept), ...set } } };
      return auditEvent(caller, { action, accountId: device.account_id, target: deviceTarget(device), ...states });
    });
  return [...Map.groupBy(devices, ({ account_id: id }) => id)].map(([accountId, { length }]) =>
    auditEvent(caller, { action, accountId, details: { devices: length, set, remove } }),
  );
}
