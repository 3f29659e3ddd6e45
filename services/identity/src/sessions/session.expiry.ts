import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { Rounds } from '@warren/platform/service/rounds';
import { signOuts } from '../telemetry/metrics.ts';
import { expiredAt } from './session.events.ts';
import { leastRenewal, SESSION_OPTIONS, type SessionOptions } from './session.options.ts';
import { createdMs, SessionStore, type DueSession } from './session.store.ts';

const EVERY_MS = 5_000;
const BATCH = 200;
/** Keeps a round, and so a shutdown, within a few seconds. */
const BATCHES = 50;
/** Unpublished events of this process, beyond which the rest waits for the next round. */
const MAX_BACKLOG = 1_000;
/** Clocks of replicas and Redis differ by less. */
const CLOCKS_MS = 1_000;

/** Records the ends of expired browser sessions. Redis expires the sessions; a sorted set keeps those still to be recorded. */
@Injectable()
export class SessionExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;

  constructor(
    private readonly store: SessionStore,
    private readonly outbox: RedisOutbox,
    @Inject(SESSION_OPTIONS) private readonly options: SessionOptions,
  ) {
    this.rounds = new Rounds({
      of: SessionExpiry.name,
      everyMs: EVERY_MS,
      failed: 'Recording expired sessions failed',
      round: () => this.sweep(),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** Records the sessions that have expired by now, or the first of them. */
  async sweep(): Promise<void> {
    for (let batch = 0; batch < BATCHES && this.outbox.backlog < MAX_BACKLOG; batch++) {
      const due = await this.store.due(BATCH);
      const expired = await this.store.expire(due.map((one) => ({ ...one, event: this.eventOf(one) })));
      signOuts.inc({ reason: 'expired' }, expired);
      if (due.length < BATCH) return;
    }
  }

  private eventOf({ hash, expired, person }: DueSession) {
    if (!person) return undefined;
    const end = createdMs(person) + this.options.absoluteMs;
    // Even a session in use is not extended to the very end.
    const isAbsolute = expired >= end - leastRenewal(this.options) - CLOCKS_MS;
    return expiredAt(expired, hash, person, isAbsolute ? 'absolute timeout' : 'idle timeout');
  }
}
