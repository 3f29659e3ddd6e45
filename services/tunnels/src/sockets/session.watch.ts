import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SessionSignals } from '@warren/platform/broker/session.signals';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { LiveGrants, type LiveGrant } from './live.grants.ts';

const TICK_MS = 1_000;
/** Polling interval per session; events report its end in between. */
const FRESH_MS = 10_000;
const RETRY_MS = 2_000;
const BATCH = 500;
/** How long a socket stays open if its session was never verified: as long as an unused session by default. */
const UNKNOWN_MS = 8 * 3_600_000;
const ENDED = 'Your session has ended. Sign in again.';
const GUEST_ENDED = 'Your guest access has ended.';

/** A browser session with open sockets. Times by `performance.now()`. */
interface Watched {
  askedAt: number;
  askAt: number;
  /** The expiry by the last answer. */
  endsAt: number;
}

/**
 * Closes what a browser session has opened when that session ends: at once by an event, and by polling, which covers expiry and lost
 * events. While identity is unavailable, the last known expiry counts.
 */
@Injectable()
export class SessionWatch implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(SessionWatch.name);
  private readonly watched = new Map<string, Watched>();
  private timer: NodeJS.Timeout | undefined;
  private unfollow: (() => void) | undefined;
  private asking = false;

  constructor(
    private readonly grants: LiveGrants,
    private readonly signals: SessionSignals,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.tick(), TICK_MS).unref();
    this.unfollow = this.signals.follow({
      ended: (hashes) => this.end(hashes),
      missed: () => {
        for (const watched of this.watched.values()) watched.askAt = 0;
      },
    });
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.unfollow?.();
  }

  /** Checks due sessions; new ones at once, since they may have ended while their socket was opened. */
  private async tick(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    const open = this.bySession();
    const now = performance.now();
    for (const hash of this.watched.keys()) if (!open.has(hash)) this.watched.delete(hash);
    const due = [...open].filter(([hash]) => this.watch(hash, now).askAt <= now);
    for (let start = 0; start < due.length; start += BATCH) await this.ask(due.slice(start, start + BATCH));
    this.asking = false;
  }

  private bySession(): Map<string, LiveGrant[]> {
    const open = new Map<string, LiveGrant[]>();
    for (const one of this.grants.all()) {
      const hash = one.grant.session;
      const known = open.get(hash);
      if (known) known.push(one);
      // A token of version 0.1.0 belongs to no session.
      else if (hash !== '') open.set(hash, [one]);
    }
    return open;
  }

  private watch(hash: string, now: number): Watched {
    const known = this.watched.get(hash) ?? { askedAt: 0, askAt: now, endsAt: now + UNKNOWN_MS };
    this.watched.set(hash, known);
    return known;
  }

  /** Never rejects. */
  private async ask(due: [hash: string, open: LiveGrant[]][]): Promise<void> {
    const now = performance.now();
    const sessions = due.map(([session, open]) => {
      const { askedAt } = this.watch(session, now);
      return { session, used: open.some(({ lastInputAt = 0 }) => lastInputAt > askedAt) };
    });
    const left = await this.timesLeft(sessions);
    const ended = due.map(([hash]) => hash).filter((hash, at) => !this.holds(this.watch(hash, now), now, left[at]));
    this.end(new Set(ended));
  }

  private async timesLeft(sessions: { session: string; used: boolean }[]): Promise<number[]> {
    try {
      return (await this.identity.checkSessions(serviceCaller('tunnels'), { sessions })).leftMs;
    } catch (error) {
      this.log.debug({ err: error }, 'Sessions could not be asked about; again in a moment.');
      return [];
    }
  }

  /** @param left milliseconds; undefined if identity was unavailable */
  private holds(watched: Watched, now: number, left: number | undefined): boolean {
    if (left === undefined) {
      watched.askAt = now + RETRY_MS;
      return now < watched.endsAt;
    }
    // More often near the expiry, to notice both the end and a late renewal.
    Object.assign(watched, { askedAt: now, askAt: now + Math.min(FRESH_MS, left / 2), endsAt: now + left });
    return left > 0;
  }

  private end(hashes: ReadonlySet<string>): void {
    if (hashes.size === 0) return;
    // Nothing of a guest stays at the device.
    void this.grants.withdraw(GUEST_ENDED, ({ session, user }) => user.guest !== undefined && hashes.has(session));
    this.grants.signOut(ENDED, ({ session, user }) => user.guest === undefined && hashes.has(session));
  }
}
