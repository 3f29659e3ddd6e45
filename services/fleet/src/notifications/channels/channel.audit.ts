import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AuditAction } from '@warren/rules/audit';
import { isDeepStrictEqual } from 'node:util';
import type { ChannelRow } from './channels.sql.ts';

interface Change {
  action: AuditAction;
  before: ChannelRow | undefined;
  after: ChannelRow | undefined;
}

/** The audit event for a channel that a person changed. A URL is recorded as people see it. */
export function channelAudited(caller: Caller, { action, before, after }: Change): Event {
  const row = after ?? before;
  if (!row) throw new Error('An audit event needs a channel.');
  return auditEvent(caller, {
    action,
    accountId: row.account_id,
    target: { kind: 'channel', id: row.id, name: row.name },
    before: before && fieldsOf(before),
    after: after && fieldsOf(after),
    secrets: ['url', 'signing_secret'],
  });
}

/** Whether people see another channel. */
export function isChanged(before: ChannelRow, after: ChannelRow): boolean {
  return !isDeepStrictEqual(fieldsOf(before), fieldsOf(after));
}

function fieldsOf(row: ChannelRow) {
  return {
    name: row.name,
    kind: row.kind,
    sends_to: row.addresses.length > 0 ? row.addresses : row.url_shown,
    url: row.url?.toString('base64'),
    signing_secret: row.secret?.toString('base64'),
    min_severity: row.min_severity,
    quiet: row.quiet,
    after_minutes: row.after_minutes,
    recovery: row.recovery,
    enabled: row.enabled,
  };
}
