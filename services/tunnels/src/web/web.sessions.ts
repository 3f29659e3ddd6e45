import { LiveGrants } from '../sockets/live.grants.ts';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { EventFollower } from '@warren/platform/events/event.follower';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';
import { AccountSockets } from '../sockets/account.sockets.ts';
import { audit } from '../sockets/audit.ts';
import type { OriginInit } from '@warren/platform/rpc/caller';
import { sessionsOpen } from '../telemetry/metrics.ts';
import { WebSession, WebVisits } from './web.session.ts';
import { hashOf, newSecret, unknownUser, WebGrants, WebRights, type Granted, type StoredGrant } from './web.grants.ts';

/** Rights are checked again after this; withdrawals take effect at once by an event. */
const FRESH_MS = 10_000;
/** How long a right remains valid while it cannot be checked. */
const STALE_MS = 60_000;
const FORGOTTEN_MS = 60_000;
const TOUCH_MS = 60_000;
const SWEEP_MS = 2_000;
const MAX_SESSIONS = 20_000;
/** How long a withdrawal waits for Redis before it cuts what runs. */
const REMOVED_MS = 500;

const open = sessionsOpen.labels({ kind: 'web' });

/** Sessions of all users of web services through this replica, with their rights. */
@Injectable()
export class WebSessions implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(WebSessions.name);
  private readonly undo = new Map<WebSession, () => void>();
  private readonly counted = new Map<WebSession, () => void>();
  private readonly loading = new Map<string, Promise<WebSession | undefined>>();
  private readonly sessions = new LRUCache<string, WebSession>({
    max: MAX_SESSIONS,
    dispose: (session) => this.forgotten(session),
  });
  private timer: NodeJS.Timeout | undefined;
  private unfollow: (() => void) | undefined;

  constructor(
    private readonly grants: WebGrants,
    private readonly rights: WebRights,
    private readonly all: LiveGrants,
    private readonly events: EventFollower,
    private readonly counts: AccountSockets,
    private readonly visits: WebVisits,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
    // After a change of a role or an account, the check ends sessions without the right.
    this.unfollow = this.events.follow(({ kind }) => {
      if (kind.case === 'userChanged') this.recheck(({ stored }) => stored.user.userId === kind.value.userId);
      // Its web service may be another one now, which no guest has a link to.
      if (kind.case === 'deviceChanged')
        this.recheck(({ stored }) => stored.user.guest !== undefined && stored.deviceId === kind.value.deviceId);
    });
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.unfollow?.();
  }

  /**
   * Makes a right of a ticket that was good, once it has been checked.
   * @returns the secret for the cookie; undefined with `ended` as the reason when there is no such right
   * @param options how many sockets the account of its person may have, and where the browser is
   * @throws Fault `unavailable`; `quota_reached`
   */
  async begin(
    stored: StoredGrant,
    { mostSockets, origin }: { mostSockets?: bigint | undefined; origin?: OriginInit | undefined } = {},
  ): Promise<{ secret: string } | { ended: string }> {
    const right = await this.rights.check(stored);
    if ('ended' in right) return right;
    const uncount = await this.counts.open(right.user, mostSockets);
    const secret = newSecret();
    const id = hashOf(secret);
    await this.grants.save(id, stored).catch((error: unknown) => {
      uncount();
      throw error;
    });
    const session = this.remember(id, stored);
    this.counted.set(session, uncount);
    if (origin) session.grant.origin = origin;
    this.granted(session, right);
    await this.visit(session).catch((error: unknown) => {
      this.sessions.delete(id);
      void this.grants.remove(id);
      throw error;
    });
    audit(this.log, session.grant, 'web.opened');
    return { secret };
  }

  /**
   * The session of a secret for a host, if its right has been found to be there a moment ago.
   * @returns undefined when it must be asked for, with `find`
   */
  fresh(secret: string, slug: string): WebSession | undefined {
    const session = this.sessions.get(hashOf(secret));
    if (!session || session.ended || session.stored.slug !== slug) return undefined;
    const now = performance.now();
    if (now - session.checkedAt > FRESH_MS || !this.visits.used(session.id, now)) return undefined;
    session.usedAt = now;
    if (now - session.touchedAt > TOUCH_MS) {
      session.touchedAt = now;
      void this.grants.touch(session.id);
    }
    return session;
  }

  /** @throws Fault `unavailable` if nothing is known and a service does not answer */
  async find(secret: string, slug: string): Promise<WebSession | undefined> {
    const id = hashOf(secret);
    const known = this.sessions.get(id);
    const session = known && !known.ended ? known : await this.load(id);
    if (!session || session.stored.slug !== slug) return undefined;
    await this.check(session);
    if (!session.ended) await this.visit(session);
    return this.fresh(secret, slug) ?? this.bridged(session);
  }

  private bridged(session: WebSession): WebSession | undefined {
    return session.ended || performance.now() - session.checkedAt > STALE_MS ? undefined : session;
  }

  private load(id: string): Promise<WebSession | undefined> {
    const known = this.loading.get(id);
    if (known) return known;
    const loading = this.grants.load(id).then((stored) => {
      if (!stored) return undefined;
      const session = this.remember(id, stored);
      session.checkedAt = Number.NEGATIVE_INFINITY;
      return session;
    });
    this.loading.set(id, loading);
    return loading.finally(() => this.loading.delete(id));
  }

  private remember(id: string, stored: StoredGrant): WebSession {
    const { deviceId, session: signedIn } = stored;
    const unknown = { user: unknownUser(stored.user), deviceAccountId: '', deviceName: '' };
    const grant = { kind: 'web', deviceId, session: signedIn, ...unknown } as const;
    const session = new WebSession(id, stored, { ...grant }, (ended, reason) => this.withdrawn(ended, reason));
    this.sessions.set(id, session);
    open.set(this.sessions.size);
    return session;
  }

  /** Registers the session for withdrawals from its first successful check. */
  private granted(session: WebSession, { user, page, until }: Granted): void {
    const { grant } = session;
    grant.user = user;
    grant.deviceAccountId = page.accountId;
    grant.deviceName = page.name;
    grant.until = until;
    if (session.ended) return;
    if (!this.undo.has(session)) this.undo.set(session, this.all.add(session));
    if (!this.counted.has(session)) this.recount(session);
    // What runs without a request, such as a WebSocket, is a use too.
    this.visits.used(session.id);
  }

  /** Has the visit recorded before anything of the device is shown. @throws Fault `unavailable` if it can't be */
  private async visit(session: WebSession): Promise<void> {
    session.traffic = await this.visits.begin(session.id, session.grant);
    if (session.ended) this.visits.end(session.id, 'withdrawn');
  }

  /** Counts a session that came back by its cookie. It was let in before, so no quota refuses it. */
  private recount(session: WebSession): void {
    let gone = false;
    let undo: (() => void) | undefined;
    this.counted.set(session, () => {
      gone = true;
      undo?.();
    });
    void this.counts.open(session.grant.user, undefined).then((uncount) => {
      undo = uncount;
      if (gone) uncount();
    });
  }

  /** One question at a time for each session. @throws Fault `unavailable` when it can't be relied on any more */
  private async check(session: WebSession): Promise<void> {
    if (performance.now() - session.checkedAt <= FRESH_MS) return;
    session.checking ??= this.settle(session).finally(() => (session.checking = undefined));
    return session.checking;
  }

  /** Asks until the answer is from after the last change. */
  private async settle(session: WebSession): Promise<void> {
    for (let changes = -1; changes !== session.changes && !session.ended;) {
      changes = session.changes;
      await this.ask(session);
    }
  }

  private async ask(session: WebSession): Promise<void> {
    const { changes } = session;
    const asked = performance.now();
    try {
      const right = await this.rights.check(session.stored);
      if ('ended' in right) return await session.withdraw(right.ended);
      this.granted(session, right);
      if (session.changes === changes) session.checkedAt = asked;
    } catch (error) {
      if (performance.now() - session.checkedAt <= STALE_MS) return;
      session.release();
      this.sessions.delete(session.id);
      throw error;
    }
  }

  /** Checks open sessions that send no requests, and forgets unused ones. */
  private sweep(): void {
    const now = performance.now();
    for (const session of this.sessions.values()) {
      if (session.isRunning) void this.check(session).catch(() => {});
      else if (now - session.usedAt > FORGOTTEN_MS) this.sessions.delete(session.id);
    }
  }

  private recheck(of: (session: WebSession) => boolean): void {
    for (const session of this.sessions.values()) {
      if (!of(session)) continue;
      session.changes++;
      session.checkedAt = Math.min(session.checkedAt, performance.now() - FRESH_MS - 1);
      void this.check(session).catch(() => {});
    }
  }

  private async withdrawn(session: WebSession, reason: string): Promise<void> {
    audit(this.log, session.grant, 'web.withdrawn', { reason });
    await Promise.race([this.grants.remove(session.id), wait(REMOVED_MS, undefined, { ref: false })]);
    // Also one that a request has loaded meanwhile.
    this.sessions.delete(session.id);
    // Open connections count until they are cut.
    session.release();
    this.visits.end(session.id, 'withdrawn', reason);
  }

  private forgotten(session: WebSession): void {
    session.release();
    this.undo.get(session)?.();
    this.undo.delete(session);
    this.counted.get(session)?.();
    this.counted.delete(session);
    open.set(this.sessions.size);
  }
}

/** Whether an error means that a service did not answer. */
export function isUnavailable(error: unknown): error is Fault {
  return error instanceof Fault && (error.code === 'unavailable' || error.code === 'deadline_exceeded');
}
