import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { rowOf, type EventRow } from '../recording/row.ts';

/** What the hub does itself. */
export const SYSTEM: Caller = serviceCaller('audit');

/** An audit event of this service, to be stored in the transaction of what it says. */
export function audited(caller: Caller, what: Audited): EventRow {
  const event = auditEvent(caller, what);
  if (event.kind.case !== 'audit') throw new Error('expected an audit event');
  return rowOf(event, event.kind.value, new Date());
}

/** The recording as the target of an event. */
export const recordingTarget = ({ id, deviceName }: { id: string; deviceName: string }) =>
  ({ kind: 'recording', id, name: deviceName }) as const;
