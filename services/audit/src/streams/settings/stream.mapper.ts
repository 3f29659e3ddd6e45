import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Caller } from '@warren/platform/rpc/caller';
import { AuditOutcome, StreamKind, type StreamSchema } from '@warren/proto/audit/v1/audit';
import type { AuditAction } from '@warren/rules/audit';
import type { StreamKindName } from '@warren/rules/audit-streams';
import { isDeepStrictEqual } from 'node:util';
import { rowOf, type EventRow } from '../../recording/row.ts';
import { pathOfStream } from '../delivery/file.client.ts';
import type { StreamEntity } from '../store/stream.entity.ts';
import type { StreamRow, WaitingStream } from '../store/streams.sql.ts';

const KINDS: Readonly<Record<StreamKindName, StreamKind>> = {
  webhook: StreamKind.WEBHOOK,
  syslog: StreamKind.SYSLOG,
  file: StreamKind.FILE,
};
const OUTCOMES: Readonly<Record<number, string>> = {
  [AuditOutcome.SUCCESS]: 'success',
  [AuditOutcome.REFUSED]: 'refused',
  [AuditOutcome.FAILED]: 'failed',
};

/** What people set. */
export type StreamSettings = Pick<
  StreamEntity,
  | 'id'
  | 'accountId'
  | 'name'
  | 'kind'
  | 'url'
  | 'urlShown'
  | 'secret'
  | 'formerSecret'
  | 'formerUntil'
  | 'ca'
  | 'actions'
  | 'outcomes'
  | 'enabled'
>;

/** A stream as services see it, without its secrets. */
export function streamMessage(row: WaitingStream | StreamRow | StreamSettings): MessageInitShape<typeof StreamSchema> {
  const { id, accountId, name, kind, urlShown: url, ca, actions, outcomes, enabled } = row;
  return {
    id,
    accountId: accountId ?? '',
    name,
    kind: KINDS[kind],
    url: kind === 'file' ? pathOfStream(id) : url,
    ca,
    filter: { actions, outcomes },
    enabled,
    ...(row.formerUntil && row.formerUntil > new Date() && { formerSecretUntil: timestampFromDate(row.formerUntil) }),
    ...('failures' in row && { state: stateOf(row) }),
  };
}

function stateOf(row: WaitingStream | StreamRow): NonNullable<MessageInitShape<typeof StreamSchema>['state']> {
  const { lastDelivery: delivery, failingSince: failing, lastGap: gap, lastError } = row;
  const oldest = 'oldest' in row ? row.oldest : null;
  return {
    ...(delivery && { lastDelivery: timestampFromDate(delivery) }),
    ...(failing && { failingSince: timestampFromDate(failing) }),
    ...(gap && { lastGap: timestampFromDate(gap) }),
    ...(oldest && { waitingSince: timestampFromDate(oldest) }),
    lastError,
    delivered: BigInt(row.delivered),
    skipped: BigInt(row.skipped),
    waiting: BigInt('waiting' in row ? row.waiting : 0),
  };
}

interface Change {
  action: AuditAction;
  before?: StreamSettings;
  after?: StreamSettings;
  /** Why a test failed. */
  failure?: string;
}

/** The audit event for a stream that a person changed or tried, to be stored with the change. */
export function auditedStream(caller: Caller, { action, before, after, failure }: Change): EventRow {
  const row = after ?? before;
  if (!row) throw new Error('An audit event needs a stream.');
  const event = auditEvent(caller, {
    action,
    accountId: row.accountId ?? '',
    target: { kind: 'audit_stream', id: row.id, name: row.name },
    before: before && fieldsOf(before),
    after: after && fieldsOf(after),
    secrets: ['url', 'signing_secret'],
    ...(failure !== undefined && { outcome: 'failed' as const, reason: failure }),
  });
  if (event.kind.case !== 'audit') throw new Error('The event is no audit event.');
  return rowOf(event, event.kind.value, new Date());
}

/** Whether people see another stream. */
export function isChanged(before: StreamSettings, after: StreamSettings): boolean {
  return !isDeepStrictEqual(fieldsOf(before), fieldsOf(after));
}

function fieldsOf(row: StreamSettings) {
  return {
    name: row.name,
    kind: row.kind,
    sends_to: row.kind === 'file' ? pathOfStream(row.id) : row.urlShown,
    url: row.url.toString('base64'),
    signing_secret: row.secret?.toString('base64'),
    ca: row.ca || undefined,
    actions: row.actions,
    outcomes: row.outcomes.map((one) => OUTCOMES[one]),
    enabled: row.enabled,
  };
}
