import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { plainText } from '@warren/platform/audit/plain';
import { followingId } from '@warren/platform/events/event.id';
import {
  AuditActorKind,
  AuditEventSchema,
  AuditOutcome,
  type AuditEvent,
  type FormerRow,
} from '@warren/proto/audit/v1/audit';
import { EventSchema } from '@warren/proto/events/v1/events';
import type { AuditAction, AuditTargetKind } from '@warren/rules/audit';
import { EventStore } from './event.store.ts';
import { formerEvent, kindOfRow } from './former.events.ts';
import { Recorder } from './recorder.ts';
import { rowOf, type EventRow } from './row.ts';

/** What the actions of identity's former table are in the trail. */
const ACTIONS: Readonly<Record<string, { action: AuditAction; target: AuditTargetKind; refused?: true }>> = {
  sign_in: { action: 'session.sign_in', target: 'session' },
  sign_in_refused: { action: 'session.sign_in', target: 'session', refused: true },
  sign_out: { action: 'session.sign_out', target: 'session' },
  sessions_ended: { action: 'session.end', target: 'session' },
  sign_in_reset: { action: 'user.reset_sign_in', target: 'user' },
  socket_token_issued: { action: 'socket_token.issue', target: 'socket_token' },
  socket_token_redeemed: { action: 'socket_token.redeem', target: 'socket_token' },
  socket_token_refused: { action: 'socket_token.redeem', target: 'socket_token', refused: true },
};

/** Takes over the rows of the table that identity had before this service, each once. */
@Injectable()
export class Importer {
  constructor(
    private readonly store: EventStore,
    private readonly recorder: Recorder,
  ) {}

  async add(rows: readonly FormerRow[]): Promise<void> {
    this.recorder.announce(await this.store.store(rows.map(importedRow)));
  }
}

function importedRow(row: FormerRow): EventRow {
  const kind = kindOfRow(row.action);
  const id = kind ? followingId(row.id, 'audit') : row.id;
  const received = row.time ? timestampDate(row.time) : new Date();
  const event = kind
    ? formerEvent(kind, { actor: '', by: row.actor, text: row.detail, target: '' })
    : importedEvent(row);
  const envelope = create(EventSchema, { id, ...(row.time && { time: row.time }) });
  return rowOf(envelope, event, received);
}

function importedEvent({ action, actor, detail, remoteAddress, userAgent }: FormerRow): AuditEvent {
  const { action: known, target, refused } = ACTIONS[action] ?? { action, target: '' };
  return create(AuditEventSchema, {
    action: known,
    actor: { kind: AuditActorKind.USER, email: plainText(actor) },
    ...(target && { target: { kind: target } }),
    outcome: refused ? AuditOutcome.REFUSED : AuditOutcome.SUCCESS,
    ...(refused && { reason: plainText(detail) }),
    origin: { address: plainText(remoteAddress), userAgent: plainText(userAgent) },
    details: refused || !detail ? '' : JSON.stringify({ detail: plainText(detail) }),
  });
}
