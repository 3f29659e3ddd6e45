import { Injectable } from '@nestjs/common';
import { may } from '@warren/platform/policy/policy';
import { serviceCaller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AccessRequestsService } from '@warren/proto/tenancy/v1/requests';

const ANSWER_MS = 2_000;

/** Decides who observes terminals without their owners' consent: people with the permission, where the account allows it. */
@Injectable()
export class Observing {
  constructor(@InjectRpc(AccessRequestsService) private readonly rules: RpcClient<typeof AccessRequestsService>) {}

  /** Whether a user may observe terminals of an account's devices if the account allows it. Tokens and guests may not. */
  mightObserve(user: UserCaller, accountId: string): boolean {
    return !user.token && !user.guest && may(user, 'terminals.observe', accountId);
  }

  /** Whether a user may observe terminals of an account's devices now. @throws Fault if tenancy does not answer */
  async mayObserve(user: UserCaller, accountId: string): Promise<boolean> {
    if (!this.mightObserve(user, accountId)) return false;
    const { observe } = await this.rules.getTerminalRules(
      serviceCaller('tunnels'),
      { accountId },
      { timeoutMs: ANSWER_MS },
    );
    return observe;
  }
}
