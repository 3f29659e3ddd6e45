import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';

/** Names of accounts, as tenancy has them. */
@Injectable()
export class AccountNames {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  /** @throws Fault `not_found`, `unavailable` */
  async of(id: string): Promise<string> {
    const { account } = await this.tenancy.getAccount(serviceCaller('fleet'), { id });
    if (!account) throw new Fault('not_found', `account ${id}.`);
    return account.name;
  }
}
