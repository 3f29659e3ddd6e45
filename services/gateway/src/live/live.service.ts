import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { MessageEvent } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { SessionSignals } from '@warren/platform/broker/session.signals';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { requireUser } from '@warren/platform/rpc/caller';
import { NatsLink } from '@warren/platform/rpc/nats.connection';
import { Observable } from 'rxjs';
import { SessionReader, type Access } from '../auth/session.reader.ts';
import { changesOf } from './change.ts';
import { LiveClient } from './live.client.ts';
import { RecentChanges } from './recent.changes.ts';

/** Often enough for a browser to notice within 3 s that nothing comes any more. An event: scripts never see a comment. */
const HEARTBEAT_MS = 1_000;
const CHECK_MS = 10_000;
/** Streams that one person may have open here: tabs, browsers. */
const MAX_PER_USER = 24;
/** Streams that this process carries. */
const MAX_STREAMS = 10_000;

/** Tells the consoles that are open here what others change. */
@Injectable()
export class LiveService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly clients = new Set<LiveClient>();
  private readonly recent = new RecentChanges();
  private stopListening = (): void => {};
  private stopping = false;

  constructor(
    private readonly bus: EventBus,
    private readonly link: NatsLink,
    private readonly sessions: SessionReader,
    private readonly signals: SessionSignals,
  ) {}

  onApplicationBootstrap(): void {
    const unlisten = this.bus.listen((event) => this.broadcast(event));
    const unfollow = this.signals.follow({
      ended: (hashes) => this.each((client) => hashes.has(client.session) && client.end()),
      missed: () => this.each((client) => void client.check()),
    });
    this.stopListening = () => (unlisten(), unfollow());
    void this.watchBus();
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
    this.stopListening();
    this.each((client) => client.end());
  }

  /**
   * The changes that a signed-in person may hear of, from now on. It completes when the session ends or allows something
   * else than now; the console then opens a new one.
   * @param ageMs milliseconds since the page began to read: what changed since then comes first, or `resync` if that is not
   *   known. Without it nothing of the past comes.
   * @throws Fault `resource_exhausted` beyond the number of streams that a person or this process may have
   */
  stream({ signedIn, caller }: Pick<Access, 'signedIn' | 'caller'>, ageMs?: number): Observable<MessageEvent> {
    if (!caller) throw new Fault('unauthenticated', 'sign in first.');
    const user = requireUser(caller);
    this.requireRoom(user.userId);
    return new Observable((subscriber) => {
      let check: NodeJS.Timeout | undefined;
      // At its expiry as well, of which there is no signal.
      const checkLater = (leftMs: number) => {
        clearTimeout(check);
        if (subscriber.closed) return;
        check = setTimeout(() => void client.check(), leftMs > 0 ? Math.min(leftMs + 1, CHECK_MS) : CHECK_MS);
      };
      const access = async () => {
        checkLater(0);
        const now = await this.sessions.read(signedIn.secret, caller.requestId, true);
        checkLater(now.signedIn.session.leftMs);
        return now.caller && requireUser(now.caller);
      };
      const client = new LiveClient({
        user,
        session: signedIn.session.id,
        access,
        send: (change) => subscriber.next({ type: 'change', data: change }),
        resync: () => subscriber.next({ type: 'resync', data: '' }),
        end: () => subscriber.complete(),
      });
      this.clients.add(client);
      const heartbeat = setInterval(() => subscriber.next({ type: 'alive', data: '' }), HEARTBEAT_MS);
      checkLater(signedIn.session.leftMs);
      subscriber.next({ comment: 'open' });
      if (ageMs !== undefined) {
        client.catchUp(this.recent.missed(ageMs));
        subscriber.next({ type: 'current', data: '' });
      }
      if (this.stopping) subscriber.complete();
      return () => {
        clearInterval(heartbeat);
        clearTimeout(check);
        this.clients.delete(client);
      };
    });
  }

  /** Streams that are open here. */
  get open(): number {
    return this.clients.size;
  }

  private broadcast(event: Event): void {
    for (const change of changesOf(event)) {
      this.recent.add(change);
      for (const client of this.clients) client.hear(change);
    }
  }

  private requireRoom(userId: string): void {
    const own = [...this.clients].filter(({ user }) => user.userId === userId).length;
    if (own < MAX_PER_USER && this.clients.size < MAX_STREAMS) return;
    throw new Fault('resource_exhausted', 'live streams are open; close a tab.', { retryAfter: 30 });
  }

  private each(does: (client: LiveClient) => unknown): void {
    for (const client of [...this.clients]) does(client);
  }

  /** What passed while the bus was away is lost to us, so each console is sent to read everything again. */
  private async watchBus(): Promise<void> {
    for await (const { type } of this.link.connection.status()) {
      if (type !== 'reconnect') continue;
      this.recent.forget();
      this.each((client) => client.end());
    }
  }
}
