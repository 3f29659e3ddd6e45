import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { quotasOf } from '@warren/platform/quotas/quotas';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Status } from '@warren/proto/common/v1/common';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import type { OwnQuotas } from '@warren/rules/quotas';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

/** The copy of an account. */
export interface KnownAccount {
  id: string;
  name: string;
  active: boolean;
  operator: boolean;
  /** Quotas that replace the installation's defaults. */
  quotas: OwnQuotas;
}

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
    const [row] = await this.source.query<(KnownAccount & { deleted: boolean })[]>(
      'SELECT id, name, active, operator, quotas, deleted FROM accounts WHERE id = $1',
      [id],
    );
    if (row?.deleted) throw new Fault('not_found', `account ${id}.`);
    return row;
  }

  private async learn(id: string): Promise<KnownAccount> {
    const { account } = await this.tenancy.getAccount(serviceCaller('devices'), { id });
    if (!account) throw new Fault('not_found', `account ${id}.`);
    // An event may have arrived first; any event is newer than this answer.
    await this.source.query(
      `INSERT INTO accounts (id, name, active, operator, quotas, as_of) VALUES ($1, $2, $3, $4, $5, '-infinity')
       ON CONFLICT (id) DO NOTHING`,
      [
        id,
        account.name,
        account.status === Status.ACTIVE,
        account.operator,
        JSON.stringify(quotasOf(account.ownQuotas)),
      ],
    );
    const known = await this.find(id);
    if (!known) throw new Fault('not_found', `account ${id}.`);
    return known;
  }
}
