import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RedisLink } from '../redis/redis.module.ts';
import { SIGNALS } from './keys.ts';

interface Follower {
  /** @param sessions hashes of browser sessions that have ended */
  ended: (sessions: ReadonlySet<string>) => void;
  /** Signals may have been lost, as after every reconnect: check all open sessions. */
  missed: () => void;
}

/** The ends of browser sessions, which the identity service publishes in Redis. */
@Injectable()
export class SessionSignals implements OnApplicationShutdown {
  private readonly followers = new Set<Follower>();
  private subscriber: Redis | undefined;

  constructor(private readonly redis: RedisLink) {}

  /** Subscribes a listener. @returns its undo */
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    this.subscriber ??= this.subscribe();
    return () => void this.followers.delete(follower);
  }

  onApplicationShutdown(): void {
    this.subscriber?.disconnect();
  }

  private subscribe(): Redis {
    const subscriber = this.redis.subscriber();
    subscriber.on('message', (_channel, text: string) => {
      const sessions = new Set(text.split(' '));
      for (const { ended } of this.followers) ended(sessions);
    });
    // Subscribes on each connection: nothing retries a failed subscription.
    const listen = async () => {
      await subscriber.subscribe(SIGNALS.sessionsEnded);
      for (const { missed } of this.followers) missed();
    };
    subscriber.on('ready', () => void listen().catch(() => {}));
    void listen().catch(() => {});
    return subscriber;
  }
}
