import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AuditAction } from '@warren/rules/audit';
import { isDeepStrictEqual } from 'node:util';
import type { ChannelEntity } from './channel.entity.ts';

interface Change {
  action: AuditAction;
  before: ChannelEntity | undefined;
  after: ChannelEntity | undefined;
}

/** The audit event for a channel that a person changed. A URL is recorded as people see it. */
export function channelAudited(caller: Caller, { action, before, after }: Change): Event {
  const row = after ?? before;
  if (!row) throw new Error('An audit event needs a channel.');
  return auditEvent(caller, {
    action,
    accountId: row.accountId,
    target: { kind: 'channel', id: row.id, name: row.name },
    before: before && fieldsOf(before),
    after: after && fieldsOf(after),
    secrets: ['url', 'signing_secret'],
  });
}

/** Whether people see another channel. */
export function isChanged(before: ChannelEntity, after: ChannelEntity): boolean {
  return !isDeepStrictEqual(fieldsOf(before), fieldsOf(after));
}

function fieldsOf(row: ChannelEntity) {
  return {
    name: row.name,
    kind: row.kind,
    sends_to: row.addresses.length > 0 ? row.addresses : row.urlShown,
    url: row.url?.toString('base64'),
    signing_secret: row.secret?.toString('base64'),
    min_severity: row.minSeverity,
    quiet: row.quiet,
    after_minutes: row.afterMinutes,
    recovery: row.recovery,
    enabled: row.enabled,
  };
}
