import { deviceActor, type AuditActorInit } from '@warren/platform/audit/audit.actor';

interface Target {
  kind: 'device';
  id: string;
  name: string;
}

/** A device as the target of an audit event. */
export function deviceTarget(row: { id: string; name: string; custom_name: string }): Target {
  return { kind: 'device', id: row.id, name: row.custom_name || row.name };
}

/** What an audit event repeats of a device that does something to itself. */
export function deviceAsActor({ id, name, accountId }: { id: string; name: string; accountId: string }): {
  accountId: string;
  actor: AuditActorInit;
  target: Target;
} {
  return { accountId, actor: deviceActor({ id, name, accountId }), target: { kind: 'device', id, name } };
}
