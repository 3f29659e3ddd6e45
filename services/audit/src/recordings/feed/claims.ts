import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RECORDINGS } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { Rounds } from '@warren/platform/service/rounds';
import { randomUUID } from 'node:crypto';
import { claim, release } from './scripts.ts';

/** A session that tunnels announces, and the number of this replica's claim to it. */
export interface ClaimedTerminal {
  /** The id of the replica of tunnels that holds its device. */
  replica: string;
  deviceId: string;
  session: string;
  claim: bigint;
}

const RENEW_MS = 1_000;
/** With the interval it bounds how long a session of a dead replica waits: 4 s. */
const LEASE_MS = 3_000;
/** How long a replica takes no sessions after its store has failed: others may reach theirs. */
const REST_MS = 5_000;
/** Of all announced sessions; more wait for room. */
const MOST = 20_000;

/**
 * This replica's claims of sessions to record: a lease in Redis for each, an even share of all. Two replicas may both believe for a moment
 * that they have one; the writer decides by the row of the recording.
 */
@Injectable()
export class RecordingClaims implements OnApplicationShutdown {
  private readonly replica = randomUUID();
  private readonly subscriber;
  private readonly rounds = new Rounds({
    of: RecordingClaims.name,
    everyMs: RENEW_MS,
    failed: 'Sessions to record could not be claimed',
    round: () => this.round(),
  });
  private claims = new Map<string, bigint>();
  private restsUntil = Number.NEGATIVE_INFINITY;
  private changed: (claimed: ReadonlyMap<string, ClaimedTerminal>) => void = () => {};

  constructor(private readonly redis: RedisLink) {
    this.subscriber = redis.subscriber();
  }

  /**
   * Claims from now on. While Redis does not answer, the claims of before remain: nobody else can make one.
   * @param changed called with all claims of this replica after each round
   */
  start(changed: (claimed: ReadonlyMap<string, ClaimedTerminal>) => void): void {
    this.changed = changed;
    this.rounds.start();
    void this.rounds.now();
    this.subscriber.on('message', () => void this.again());
    const listen = () => void this.subscriber.subscribe(RECORDINGS.changed).catch(() => {});
    this.subscriber.on('ready', listen);
    listen();
  }

  /** Takes no new sessions for a while: this replica can't store. */
  rest(): void {
    this.restsUntil = performance.now() + REST_MS;
  }

  /** Gives up all claims, so that others take over at once. Never rejects. */
  async stop(): Promise<void> {
    await this.rounds.stop();
    await release(this.redis, this.replica, [...this.claims.keys()], true).catch(() => {});
  }

  onApplicationShutdown(): void {
    this.subscriber.disconnect();
  }

  /** A round that runs may have read the list before the change. */
  private async again(): Promise<void> {
    await this.rounds.now();
    await this.rounds.now();
  }

  private async round(): Promise<void> {
    const takes = performance.now() >= this.restsUntil;
    const members = await this.announced();
    const of = { replica: this.replica, leaseMs: LEASE_MS, takes };
    const { share, claims } = await claim(this.redis, of, members);
    const surplus = claims.size > share + Math.max(1, share / 4) ? [...claims.keys()].at(-1) : undefined;
    if (surplus !== undefined) {
      await release(this.redis, this.replica, [surplus], false);
      claims.delete(surplus);
    }
    this.claims = claims;
    this.changed(claimedOf(claims));
  }

  private async announced(): Promise<string[]> {
    const [seconds] = await this.redis.client.time();
    const all = await this.redis.client.zrangebyscore(
      RECORDINGS.terminals,
      Number(seconds) * 1_000,
      '+inf',
      'LIMIT',
      0,
      MOST,
    );
    return all.toSorted();
  }
}

function claimedOf(claims: ReadonlyMap<string, bigint>): Map<string, ClaimedTerminal> {
  const claimed = new Map<string, ClaimedTerminal>();
  for (const [member, number] of claims) {
    const [replica, deviceId, session] = member.split('/');
    if (replica && deviceId && session) claimed.set(member, { replica, deviceId, session, claim: number });
  }
  return claimed;
}
