import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AccessRequestsService } from '@warren/proto/tenancy/v1/requests';

/** Agents count pins in seconds. */
export const DAY_S = 86_400;
const ANSWER_MS = 2_000;
const RETRY_S = 2;

/** Asks tenancy how long an account lets terminals of its devices be pinned. */
@Injectable()
export class PinLimits {
  constructor(@InjectRpc(AccessRequestsService) private readonly rules: RpcClient<typeof AccessRequestsService>) {}

  /**
   * Days that a terminal may be pinned; 0: not at all.
   * @throws Fault `unavailable`
   */
  async of(accountId: string): Promise<number> {
    try {
      const caller = serviceCaller('tunnels');
      return (await this.rules.getTerminalRules(caller, { accountId }, { timeoutMs: ANSWER_MS })).pinDays;
    } catch (cause) {
      const message = 'How long a terminal may be pinned is not known at the moment.';
      throw new Fault('unavailable', message, { cause, retryAfter: RETRY_S });
    }
  }
}
