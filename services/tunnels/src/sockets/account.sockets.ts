import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { socketsKey } from '@warren/platform/broker/keys';
import { quotaReached } from '@warren/platform/quotas/quotas';
import { RedisLink } from '@warren/platform/redis/redis.module';
import type { UserCaller } from '@warren/platform/rpc/caller';
import type { Result } from 'ioredis';
import { Lease } from '../broker/lease.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    warrenSockets(
      sockets: string,
      replica: string,
      held: number,
      leaseMs: number,
      most: number,
    ): Result<number, Context>;
  }
}

const RENEW_MS = 5_000;
/** The share of a replica expires this long after its last report, so that a killed one frees it. */
const LEASE_MS = 15_000;
const UNLIMITED = -1;

/**
 * Reports the sockets of a replica for an account; refuses with 0 if the sum over all replicas would exceed ARGV[4]. Fields are
 * `{count} {end of the lease}`.
 */
const HOLD = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local held, most = tonumber(ARGV[2]), tonumber(ARGV[4])
local all = held
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local count, ends = string.match(fields[i + 1], '^(%d+) (%d+)$')
  if not ends or tonumber(ends) <= now then redis.call('HDEL', KEYS[1], fields[i])
  elseif fields[i] ~= ARGV[1] then all = all + tonumber(count) end
end
if most >= 0 and all > most then return 0 end
if held == 0 then redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %.0f', held, now + tonumber(ARGV[3])))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1
`;

/** Counts the open sockets of each account across all replicas. */
@Injectable()
export class AccountSockets implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(AccountSockets.name);
  /** The counts of this replica, by account. */
  private readonly held = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: RedisLink,
    private readonly lease: Lease,
  ) {
    redis.client.defineCommand('warrenSockets', { numberOfKeys: 1, lua: HOLD });
  }

  onModuleInit(): void {
    this.timer = setInterval(() => this.renew(), RENEW_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /**
   * Counts one more for the account of a user; nothing for the operator's.
   * @param most the account's quota; undefined if unlimited
   * @returns its undo, which may be called twice
   * @throws Fault `quota_reached`
   */
  async open({ accountId, operator }: UserCaller, most: bigint | undefined): Promise<() => void> {
    if (operator || accountId === '') return () => {};
    this.add(accountId, 1);
    if (most === undefined) void this.report(accountId);
    else if (!(await this.report(accountId, Number(most)))) {
      this.add(accountId, -1);
      throw quotaReached('sockets', Number(most));
    }
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.add(accountId, -1);
      void this.report(accountId);
    };
  }

  private add(accountId: string, change: number): void {
    const count = (this.held.get(accountId) ?? 0) + change;
    if (count > 0) this.held.set(accountId, count);
    else this.held.delete(accountId);
  }

  /** @returns false if the account has too many; without Redis no socket is refused */
  private async report(accountId: string, most = UNLIMITED): Promise<boolean> {
    const held = this.held.get(accountId) ?? 0;
    const { replica } = this.lease;
    try {
      return (await this.redis.client.warrenSockets(socketsKey(accountId), replica, held, LEASE_MS, most)) === 1;
    } catch (error) {
      this.log.debug({ err: error, account: accountId }, 'Open sockets could not be counted.');
      return true;
    }
  }

  private renew(): void {
    for (const accountId of this.held.keys()) void this.report(accountId);
  }
}
