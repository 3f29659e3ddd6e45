import { Injectable } from '@nestjs/common';
import { RECORDINGS } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { Recording } from '@warren/proto/agent/v1/agent';
import { Lease } from '../broker/lease.ts';
import type { RecordedSession } from './recorded.source.ts';
import type { RecordedTerminalSession } from './recorded.terminal.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    warrenAnnounce(recordings: string, ttlMs: number, ...members: string[]): Result<number, Context>;
  }
}

/** Longer than the pause between two renewals, shorter than a recorder should wait for a dead replica. */
const TTL_MS = 4_000;
/** A device may come back after days with a terminal that is pinned. */
const KEPT_S = 7 * 86_400;

const ANNOUNCE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[index]) end
return #ARGV - 1
`;

const kept = z.object({
  accountId: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  session: z.string(),
  userId: z.string(),
  userEmail: z.string(),
  startedAt: z.number(),
  mode: z.literal([Recording.BEST_EFFORT, Recording.REQUIRED]),
  size: z.object({ cols: z.number(), rows: z.number() }),
});

/** Which part of a session is announced. */
type Announced = Pick<RecordedSession, 'deviceId' | 'session'>;

/** Tells the recorders which sessions are to be recorded and where they are, and keeps what the opening of each terminal has set. */
@Injectable()
export class Announcements {
  constructor(
    private readonly redis: RedisLink,
    private readonly lease: Lease,
  ) {
    defineScript(redis.client);
  }

  /** Announces sessions that are linked here for the next seconds. @throws Error if Redis does not answer */
  async renew(sessions: readonly Announced[]): Promise<void> {
    await this.redis.client.warrenAnnounce(RECORDINGS.terminals, TTL_MS, ...sessions.map((one) => this.memberOf(one)));
  }

  /** Announces a session, and tells the recorders at once. @throws Error if Redis does not answer */
  async add(session: Announced): Promise<void> {
    await this.renew([session]);
    await this.redis.client.publish(RECORDINGS.changed, '1');
  }

  /** Announces a terminal, which any replica may continue. @throws Error if Redis does not answer */
  async addTerminal(session: RecordedTerminalSession): Promise<void> {
    const key = keptKey(session.deviceId);
    await Promise.all([
      this.redis.client.hset(key, session.session, JSON.stringify(session)),
      this.redis.client.expire(key, KEPT_S),
    ]);
    await this.add(session);
  }

  /** Ends the announcement of a terminal whose recording is closed. Never rejects. */
  async removeTerminal(session: Announced): Promise<void> {
    await this.redis.client.hdel(keptKey(session.deviceId), session.session).catch(() => {});
    await this.leave([session]);
  }

  /** Ends the announcement of sessions that this replica does not hold any more. Never rejects. */
  async leave(sessions: readonly Announced[]): Promise<void> {
    const members = sessions.map((one) => this.memberOf(one));
    if (members.length > 0) await this.redis.client.zrem(RECORDINGS.terminals, ...members).catch(() => {});
  }

  /** The terminals of a device whose recording is not closed. @throws Error if Redis does not answer */
  async terminalsOf(deviceId: string): Promise<RecordedTerminalSession[]> {
    const texts = Object.values(await this.redis.client.hgetall(keptKey(deviceId)));
    return texts.flatMap((text) => {
      const { data } = kept.safeParse(JSON.parse(text));
      return data ? [data] : [];
    });
  }

  private memberOf({ deviceId, session }: Announced): string {
    return `${this.lease.replica}/${deviceId}/${session}`;
  }
}

const keptKey = (deviceId: string) => `tunnels:recorded:${deviceId}`;

function defineScript(redis: Redis): void {
  redis.defineCommand('warrenAnnounce', { numberOfKeys: 1, lua: ANNOUNCE });
}
