import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { MatchingService } from '@warren/proto/devices/v1/matching';
import { DEFAULT_ALERT_RULES } from '@warren/rules/alerts';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { AlertAccountEntity } from '../records/account.entity.ts';
import { insertDefaults } from '../records/rules.sql.ts';
import { deleteAccount, readOthers, writeAccounts } from '../records/accounts.sql.ts';

/** The accounts that the devices service knows. New ones, and all with devices, have the default rules. */
@Injectable()
export class AlertAccounts implements OnModuleInit {
  constructor(
    private readonly source: DataSource,
    private readonly consumer: EventConsumer,
    @InjectRpc(MatchingService) private readonly matching: RpcClient<typeof MatchingService>,
  ) {}

  onModuleInit(): void {
    this.consumer.on('accountChanged', (_event, account) => this.welcome(account.accountId, account.name));
    this.consumer.on('accountDeleted', (_event, { accountId }) => deleteAccount(this.source.manager, accountId));
  }

  /** Asks the devices service for all accounts, and forgets those that it does not know. @throws Fault `unavailable` */
  async learn(): Promise<void> {
    const known: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const { accounts } = await this.matching.listDeviceAccounts(serviceCaller('fleet'), { after });
      await writeAccounts(this.source, accounts);
      const used = accounts.filter(({ hasDevices }) => hasDevices).map(({ id }) => id);
      if (used.length > 0) await insertDefaults(this.source, used, DEFAULT_ALERT_RULES);
      for (const { id } of accounts) known.push(id);
      after = accounts.at(-1)?.id;
    }
    // An event of a deleted account may come before the devices service has marked it, which adds its rules again.
    for (const id of known.length > 0 ? await readOthers(this.source, known) : [])
      await deleteAccount(this.source.manager, id);
  }

  /** The name of an account, which may be new. @throws Fault `not_found`, `unavailable` */
  async nameOf(id: string): Promise<string> {
    if (!isUuid(id)) throw new Fault('not_found', `account ${id}.`);
    const find = () => this.source.manager.findOneBy(AlertAccountEntity, { id });
    const account = (await find()) ?? (await this.learn().then(find));
    if (!account) throw new Fault('not_found', `account ${id}.`);
    return account.name;
  }

  /** Gives an account its rules as soon as it exists. The name of an account changes likewise. */
  private async welcome(id: string, name: string): Promise<void> {
    await writeAccounts(this.source, [{ id, name }]);
    await insertDefaults(this.source, [id], DEFAULT_ALERT_RULES);
  }
}
