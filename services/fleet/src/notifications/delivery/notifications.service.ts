import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { listScope, requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import {
  NotificationState,
  type ListNotificationsRequest,
  type NotificationSchema,
} from '@warren/proto/fleet/v1/notifications';
import { DataSource } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { managed } from '../channels/channels.service.ts';
import { ChannelEntity } from '../channels/channel.entity.ts';
import { noteTest } from '../channels/channels.sql.ts';
import { countTest } from '../channels/uses.sql.ts';
import { titleOf } from '../formats/content.ts';
import { Deliverer } from './deliverer.ts';
import { DeliveryPublisher } from './delivery.publisher.ts';
import { NotificationEntity, type StateName } from './notification.entity.ts';
import { listNotifications, lockNotification, type ListedNotification } from './notifications.sql.ts';

type Answer = MessageInitShape<typeof NotificationSchema>;

const STATES: Partial<Record<NotificationState, StateName>> = {
  [NotificationState.WAITING]: 'waiting',
  [NotificationState.DELIVERED]: 'delivered',
  [NotificationState.FAILED]: 'failed',
};
const STATE_OF: Readonly<Record<StateName, NotificationState>> = {
  waiting: NotificationState.WAITING,
  delivered: NotificationState.DELIVERED,
  failed: NotificationState.FAILED,
};
const PAGE = 50;
const PAGE_MAX = 200;
/** Between two tests of a channel. */
const TEST_PAUSE_SECONDS = 10;

/** What became of notifications (policy `channels.manage`). */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly deliverer: Deliverer,
    private readonly publisher: DeliveryPublisher,
  ) {}

  /** Lists notifications, newest first. @throws Fault `not_found` for the account, `permission_denied` */
  async list(caller: Caller, request: ListNotificationsRequest): Promise<{ notifications: Answer[] }> {
    const { accountId } = listScope(caller, 'channels.manage', request.accountId);
    const id = (text: string) => (isUuid(text) ? text : undefined);
    const rows = await listNotifications(this.source, {
      accountId,
      channelId: id(request.channelId),
      state: STATES[request.state],
      before: id(request.before),
      limit: Math.min(request.limit || PAGE, PAGE_MAX),
    });
    return { notifications: rows.map(asMessage) };
  }

  /** Delivers a failed one again. @throws Fault `not_found`, `permission_denied`, `failed_precondition` unless it failed and may go out */
  async retry(caller: Caller, { id }: { id: string }): Promise<{ notification: Answer }> {
    const answer = await this.outbox.transaction(async (manager, emit) => {
      const row = isUuid(id) ? await lockNotification(manager, id, sightOf(caller)) : undefined;
      if (!row) throw new Fault('not_found', `notification ${id}.`);
      const { accountId } = row;
      requireMay(caller, 'channels.manage', accountId, `notification ${id}`);
      if (row.state !== 'failed')
        throw new Fault('failed_precondition', `it is ${row.state}, so there is nothing to retry.`);
      if (!row.enabled) throw new Fault('failed_precondition', `enable the channel ${row.channelName} first.`);
      const restarted = { state: 'waiting', attempts: 0, nextAttempt: new Date() } as const;
      // PostgreSQL's clock decides what is due.
      const changes = { ...restarted, nextAttempt: () => 'now()', leasedUntil: null };
      await manager.update(NotificationEntity, { id, accountId }, changes);
      const target = { kind: 'notification', id, name: row.title } as const;
      const details = { channel: row.channelName, attempts: row.attempts, last_error: row.lastError };
      emit(auditEvent(caller, { action: 'notification.retry', accountId, target, details }));
      return asMessage({ ...row, ...restarted });
    });
    void this.publisher.now();
    return { notification: answer };
  }

  /** Sends a test message at once, whether the channel is enabled or not. @throws Fault `resource_exhausted` too soon after the last one, or for the 61st of the account in an hour */
  async test(caller: Caller, { id }: { id: string }): Promise<{ delivered: boolean; reason: string }> {
    const row = await managed(this.source.manager, caller, id);
    const { accountId } = row;
    if (!(await noteTest(this.source, row, TEST_PAUSE_SECONDS)))
      throw new Fault('resource_exhausted', `a test was sent less than ${TEST_PAUSE_SECONDS} seconds ago.`, {
        retryAfter: TEST_PAUSE_SECONDS,
      });
    if (!(await countTest(this.source, accountId)))
      throw new Fault('resource_exhausted', 'the account sent too many tests in this hour.');
    const outcome = await this.deliverer.deliver(row, {
      id: uuidv7(),
      accountId,
      title: titleOf('test', []),
      severity: 'info',
      content: { reason: 'test', groups: [], omitted: 0 },
      created: new Date(),
    });
    const reason = outcome.delivered ? undefined : outcome.reason;
    await this.outbox.transaction(async (manager, emit) => {
      const now = new Date();
      const noted =
        reason === undefined ? { lastError: '', lastSuccess: now } : { lastError: reason, lastFailure: now };
      await manager.update(ChannelEntity, { id, accountId }, noted);
      const target = { kind: 'channel', id, name: row.name } as const;
      const became = reason === undefined ? {} : ({ outcome: 'failed', reason } as const);
      emit(auditEvent(caller, { action: 'channel.test', accountId, target, ...became }));
    });
    if (outcome.delivered) return { delivered: true, reason: outcome.remark ?? '' };
    return { delivered: false, reason: outcome.reason };
  }
}

function asMessage(row: ListedNotification): Answer {
  return {
    id: row.id,
    accountId: row.accountId,
    channelId: row.channelId,
    channelName: row.channelName,
    state: STATE_OF[row.state],
    title: row.title,
    severity: row.severity,
    created: timestampFromDate(row.createdAt),
    ...(row.deliveredAt && { delivered: timestampFromDate(row.deliveredAt) }),
    attempts: row.attempts,
    lastError: row.lastError,
    ...(row.state === 'waiting' && { nextAttempt: timestampFromDate(row.nextAttempt) }),
  };
}
