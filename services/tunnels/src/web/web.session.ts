import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Carried } from '@warren/transport/pump';
import type { Grant } from '../sockets/grant.ts';
import type { LiveGrant } from '../sockets/live.grants.ts';
import { SessionTrail, type AuditedSession, type SessionTraffic } from '../sockets/session.trail.ts';
import type { StoredGrant } from './web.grants.ts';

/** A page is read for minutes without a request. After that a visit is over, and the next request begins another. */
const IDLE_MS = 15 * 60_000;
const SWEEP_MS = 30_000;
/** Beyond it the longest unused visit ends. */
const MAX_VISITS = 20_000;

/** What a visit has carried so far. */
class VisitTraffic implements Carried, SessionTraffic {
  /** Requests and WebSockets. */
  requests = 0;
  in = 0;
  out = 0;

  get bytesToDevice(): number {
    return this.in;
  }

  get bytesFromDevice(): number {
    return this.out;
  }
}

/** What is torn when the right ends: connections of the browser, whatever runs on them. */
interface Running {
  destroy(): unknown;
}

/** One browser's right to the web services of one device, as this replica has seen it. */
export class WebSession implements LiveGrant {
  /** By `performance.now()`: when the right was last found to be there, and when it was last made use of. */
  checkedAt = performance.now();
  usedAt = performance.now();
  /** When its life in Redis was last prolonged. */
  touchedAt = performance.now();
  checking: Promise<void> | undefined;
  /** Events so far that may have changed the right. */
  changes = 0;
  ended = false;
  /** Traffic of its current visit. */
  traffic = new VisitTraffic();
  private readonly running = new Set<Running>();

  constructor(
    /** Hash of the secret. */
    readonly id: string,
    readonly stored: StoredGrant,
    readonly grant: Grant,
    private readonly onEnd: (session: WebSession, reason: string) => Promise<void>,
  ) {}

  /** A page that is only looked at delays no drain: what runs is cut off with the replica and comes again by another. */
  get active(): boolean {
    return false;
  }

  get isRunning(): boolean {
    return this.running.size > 0;
  }

  /** Ties something to the right. @returns its undo */
  bind(running: Running): () => void {
    if (this.ended) {
      running.destroy();
      return () => {};
    }
    this.running.add(running);
    return () => void this.running.delete(running);
  }

  /** Removes the grant before it cuts what runs, so that a browser that asks again finds none, even if the right is back by then. */
  async withdraw(reason: string): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.onEnd(this, reason);
    this.release();
  }

  signOut(reason: string): void {
    void this.withdraw(reason);
  }

  release(): void {
    this.ended = true;
    for (const running of this.running) running.destroy();
    this.running.clear();
  }
}

interface Visit {
  audited: AuditedSession;
  traffic: VisitTraffic;
  usedAt: number;
}

/** Visits to web services through this replica, in the audit trail. */
@Injectable()
export class WebVisits implements OnModuleInit, OnModuleDestroy {
  /** By session, the longest unused first. */
  private readonly visits = new Map<string, Visit>();
  private readonly beginning = new Map<string, Promise<VisitTraffic>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly trail: SessionTrail) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.sweep(performance.now()), SWEEP_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Ends all visits, since this process stops. */
  endAll(): void {
    for (const id of this.visits.keys()) this.end(id, 'left');
  }

  /** Notes a use. @returns what the visit has carried; undefined without a visit, which must begin first */
  used(id: string, now = performance.now()): VisitTraffic | undefined {
    const visit = this.visits.get(id);
    if (!visit) return undefined;
    visit.usedAt = now;
    this.visits.delete(id);
    this.visits.set(id, visit);
    return visit.traffic;
  }

  /**
   * Begins the visit of a session, unless there is one.
   * @returns what it has carried so far
   * @throws Fault `unavailable` if its start can't be recorded
   */
  async begin(id: string, grant: Grant): Promise<VisitTraffic> {
    const known = this.used(id) ?? this.beginning.get(id);
    if (known) return known;
    const beginning = this.trail.start(grant).then((audited) => this.add(id, audited));
    this.beginning.set(id, beginning);
    return beginning.finally(() => this.beginning.delete(id));
  }

  /** Ends the visit of a session, if there is one. */
  end(id: string, how: string, reason?: string): void {
    const visit = this.visits.get(id);
    visit?.audited.end({ how, reason }, visit.traffic);
    this.visits.delete(id);
  }

  /** Ends visits that are not used any more. */
  sweep(now: number): void {
    for (const [id, { usedAt }] of this.visits) {
      if (now - usedAt <= IDLE_MS) return;
      this.end(id, 'left');
    }
  }

  private add(id: string, audited: AuditedSession): VisitTraffic {
    const traffic = new VisitTraffic();
    this.visits.set(id, { audited, traffic, usedAt: performance.now() });
    const [longest] = this.visits.keys();
    if (this.visits.size > MAX_VISITS && longest !== undefined) this.end(longest, 'left');
    return traffic;
  }
}
