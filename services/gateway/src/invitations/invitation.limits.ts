import { Inject, Injectable } from '@nestjs/common';
import { may } from '@warren/platform/policy/policy';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { RateCounter } from '../http/rate.counter.ts';

const HOUR_S = 3_600;

/** Invitations in an hour. Each is a mail in the hub's name to somebody who did not ask for it. */
export const INVITATIONS_PER_USER = 200;
const INVITATIONS_PER_ACCOUNT = 500;

/** Keeps a user, and the people of one account together, from sending mails without end. */
@Injectable()
export class InvitationLimits {
  private readonly users: RateCounter;
  private readonly accounts: RateCounter;

  constructor(
    redis: RedisLink,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'RATE_LIMITS'>,
  ) {
    this.users = new RateCounter(redis, { name: 'invite-user', most: INVITATIONS_PER_USER, seconds: HOUR_S });
    this.accounts = new RateCounter(redis, { name: 'invite-account', most: INVITATIONS_PER_ACCOUNT, seconds: HOUR_S });
  }

  /**
   * @param accountId into which they are invited; counted for those alone who may invite there
   * @throws Fault `resource_exhausted`, with the seconds to wait
   */
  async count(caller: Caller, invitations: number, accountId?: string): Promise<void> {
    if (!this.config.RATE_LIMITS) return;
    const user = requireUser(caller);
    await this.users.count(user.userId, `invitations by you, at most ${INVITATIONS_PER_USER} in an hour`, invitations);
    if (!accountId || !may(user, 'invitations.manage', accountId)) return;
    const what = `invitations into this account, at most ${INVITATIONS_PER_ACCOUNT} in an hour`;
    await this.accounts.count(accountId, what, invitations);
  }
}
