import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { quotasOf } from '@warren/platform/quotas/quotas';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Status } from '@warren/proto/common/v1/common';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { AccountEntity } from './account.entity.ts';

/** The copy of an account. */
export type KnownAccount = Pick<AccountEntity, 'id' | 'name' | 'active' | 'operator' | 'quotas'>;

/** The copy of accounts that events maintain; asks tenancy for an account without an event so far. */
@Injectable()
export class AccountDirectory {
  constructor(
    private readonly source: DataSource,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
  ) {}

  /** @throws Fault `not_found`; `unavailable` if the account is unknown here and tenancy does not answer */
  async get(id: string): Promise<KnownAccount> {
    if (!isUuid(id)) throw new Fault('not_found', `account ${id}.`);
    return (await this.find(id)) ?? (await this.learn(id));
  }

  private async find(id: string): Promise<KnownAccount | undefined> {
    const account = await this.source.manager.findOneBy(AccountEntity, { id });
    if (account?.deleted) throw new Fault('not_found', `account ${id}.`);
    return account ?? undefined;
  }

  private async learn(id: string): Promise<KnownAccount> {
    const { account } = await this.tenancy.getAccount(serviceCaller('devices'), { id });
    if (!account) throw new Fault('not_found', `account ${id}.`);
    // An event may have arrived first; any event is newer than this answer.
    const { name, operator } = account;
    const active = account.status === Status.ACTIVE;
    const quotas = quotasOf(account.ownQuotas);
    await this.source.manager
      .createQueryBuilder()
      .insert()
      .into(AccountEntity)
      .values({ id, name, active, operator, quotas, asOf: () => "'-infinity'" })
      .orIgnore()
      .updateEntity(false)
      .execute();
    const known = await this.find(id);
    if (!known) throw new Fault('not_found', `account ${id}.`);
    return known;
  }
}
