import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { newEvent, type Event, type EventData } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { quotasOf } from '@warren/platform/quotas/quotas';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import {
  copyAccountName,
  deleteDevices,
  deleteHistory,
  deleteSettings,
  markDeleted,
  saveAccount,
} from './accounts.sql.ts';

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
    const quotas = ownQuotas && quotasOf(ownQuotas);
    await this.outbox.transaction(async (manager) => {
      await saveAccount(manager, { accountId, name, active, operator, asOf, quotas });
      await copyAccountName(manager, accountId);
    });
  }

  /** Marks the account first, so that no device can enrol into it any more, then deletes its devices in batches. */
  async deleted(accountId: string): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      await markDeleted(manager, accountId);
      await deleteSettings(manager, accountId);
    });
    while ((await this.deleteBatch(accountId)) === BATCH);
    await this.outbox.transaction((manager) => deleteHistory(manager, accountId));
  }

  private deleteBatch(accountId: string): Promise<number> {
    return this.outbox.transaction(async (manager, emit) => {
      const ids = await deleteDevices(manager, accountId, BATCH);
      for (const deviceId of ids) emit(newEvent({ accountId, kind: { case: 'deviceDeleted', value: { deviceId } } }));
      return ids.length;
    });
  }
}
