import { Injectable } from '@nestjs/common';
import { socketsKey } from '@warren/platform/broker/keys';
import { socketsIn } from '@warren/platform/broker/sockets';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import type { QuotaName } from '@warren/rules/quotas';
import { ApiCalls } from '../http/api.calls.ts';

/** How much of its quotas an account uses, of what tenancy does not count. */
@Injectable()
export class QuotaUse {
  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly redis: RedisLink,
    private readonly calls: ApiCalls,
  ) {}

  /** For a caller who may read the quotas of the account. Leaves out what is unavailable now. */
  async of(caller: Caller, accountId: string): Promise<Partial<Record<QuotaName, number>>> {
    const gateway = serviceCaller('gateway', caller.requestId, caller.origin);
    const counts: Partial<Record<QuotaName, Promise<number>>> = {
      devices: this.devices.getDeviceCounts(caller, { accountId }).then(({ total }) => total),
      sessions: this.identity.countSessions(gateway, { accountId }).then(({ sessions }) => sessions),
      sockets: this.sockets(accountId),
      api_calls: this.calls.used(accountId),
    };
    const entries = Object.entries(counts);
    const told = await Promise.allSettled(entries.map(([, count]) => count));
    return Object.fromEntries(
      told.flatMap((one, at) => (one.status === 'fulfilled' ? [[entries[at]?.[0], one.value]] : [])),
    ) as Partial<Record<QuotaName, number>>;
  }

  private async sockets(accountId: string): Promise<number> {
    return socketsIn(await this.redis.client.hgetall(socketsKey(accountId)), Date.now());
  }
}
