import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { newEvent, type Event, type EventData } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { quotasOf } from '@warren/platform/quotas/quotas';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';

const BATCH = 500;

/** Follows tenancy: names, states, quotas and deletions of accounts. */
@Injectable()
export class AccountEvents implements OnModuleInit {
  constructor(
    private readonly consumer: EventConsumer,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  onModuleInit(): void {
    this.consumer.on('accountChanged', (event, data) => this.changed(event, data));
    this.consumer.on('accountDeleted', (_event, data) => this.deleted(data.accountId));
  }

  /** Ignores an event that is older than the copy, or of a deleted account. */
  async changed(event: Event, data: EventData<'accountChanged'>): Promise<void> {
    const { accountId, name, active, operator, ownQuotas } = data;
    const asOf = event.time ? timestampDate(event.time) : new Date();
    // Older versions of tenancy send no quotas.
    const quotas = ownQuotas ? JSON.stringify(quotasOf(ownQuotas)) : null;
    await this.outbox.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO accounts (id, name, active, operator, as_of, quotas) VALUES ($1, $2, $3, $4, $5, COALESCE($6::jsonb, '{}'))
         ON CONFLICT (id) DO UPDATE
         SET name = $2, active = $3, operator = $4, as_of = $5, quotas = COALESCE($6::jsonb, accounts.quotas)
         WHERE accounts.as_of <= $5 AND NOT accounts.deleted`,
        [accountId, name, active, operator, asOf, quotas],
      );
      await manager.query(
        `UPDATE devices d SET account_name = a.name FROM accounts a
         WHERE a.id = $1 AND d.account_id = a.id AND d.account_name <> a.name`,
        [accountId],
      );
    });
  }

  /** Marks the account first, so that no device can enrol into it any more, then deletes its devices in batches. */
  async deleted(accountId: string): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO accounts (id, name, active, operator, deleted, as_of) VALUES ($1, '', false, false, true, now())
         ON CONFLICT (id) DO UPDATE SET active = false, deleted = true`,
        [accountId],
      );
      await manager.query('DELETE FROM enrolment_tokens WHERE account_id = $1', [accountId]);
      await manager.query('DELETE FROM update_windows WHERE account_id = $1', [accountId]);
      await manager.query('DELETE FROM saved_filters WHERE account_id = $1', [accountId]);
      await manager.query('DELETE FROM bulk_jobs WHERE account_id = $1', [accountId]);
    });
    while ((await this.deleteBatch(accountId)) === BATCH);
    await this.outbox.transaction(async (manager) => {
      await manager.query('DELETE FROM device_history WHERE account_id = $1', [accountId]);
      await manager.query('DELETE FROM device_counts WHERE account_id = $1', [accountId]);
    });
  }

  private deleteBatch(accountId: string): Promise<number> {
    return this.outbox.transaction(async (manager, emit) => {
      const [rows] = await manager.query<[{ id: string }[], number]>(
        `DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE account_id = $1 LIMIT ${BATCH}) RETURNING id`,
        [accountId],
      );
      for (const { id } of rows)
        emit(newEvent({ accountId, kind: { case: 'deviceDeleted', value: { deviceId: id } } }));
      return rows.length;
    });
  }
}
