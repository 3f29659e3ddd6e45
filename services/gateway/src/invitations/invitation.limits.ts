import { Inject, Injectable } from '@nestjs/common';
import { may } from '@warren/platform/policy/policy';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { RateCounter } from '../http/rate.counter.ts';
import { RATES, type RateName, type Rates } from '../http/rate.limits.ts';

const HOUR_S = 3_600;

/** Limits the mails that a user, and all users of an account, send in the hub's name to people who did not ask for them. */
@Injectable()
export class InvitationLimits {
  private readonly users: RateCounter;
  private readonly accounts: RateCounter;
  private readonly rates: Rates | false;

  constructor(redis: RedisLink, @Inject(GATEWAY_CONFIG) { RATE_LIMITS: rates }: Pick<GatewayConfig, 'RATE_LIMITS'>) {
    this.rates = rates;
    const counter = (name: RateName) => new RateCounter(redis, { name, most: (rates || RATES)[name], seconds: HOUR_S });
    this.users = counter('invite-user');
    this.accounts = counter('invite-account');
  }

  /**
   * @param accountId into which they are invited; counted for those alone who may invite there
   * @throws Fault `resource_exhausted`, with the seconds to wait
   */
  async count(caller: Caller, invitations: number, accountId?: string): Promise<void> {
    if (!this.rates) return;
    const user = requireUser(caller);
    await this.users.count(
      user.userId,
      `invitations by you, at most ${this.rates['invite-user']} in an hour`,
      invitations,
    );
    if (!accountId || !may(user, 'invitations.manage', accountId)) return;
    const what = `invitations into this account, at most ${this.rates['invite-account']} in an hour`;
    await this.accounts.count(accountId, what, invitations);
  }
}
