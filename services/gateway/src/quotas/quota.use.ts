import { Injectable } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import type { QuotaName } from '@warren/rules/quotas';

/** How much of its quotas an account uses, of what tenancy does not count. */
@Injectable()
export class QuotaUse {
  constructor(@InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>) {}

  /** For a caller who may read the quotas of the account. */
  async of(caller: Caller, accountId: string): Promise<Partial<Record<QuotaName, number>>> {
    const { total } = await this.devices.getDeviceCounts(caller, { accountId });
    return { devices: total };
  }
}
