import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SessionTrail, type AuditedSession } from '../sockets/session.trail.ts';
import type { Grant } from '../sockets/grant.ts';

/** A page is read for minutes without a request. After that a visit is over, and the next request begins another. */
const IDLE_MS = 15 * 60_000;
const SWEEP_MS = 30_000;
/** Beyond it the longest unused visit ends. */
const MAX_VISITS = 20_000;

interface Visit {
  audited: AuditedSession;
  usedAt: number;
}

/** Visits to web services through this replica, in the audit trail. */
@Injectable()
export class WebVisits implements OnModuleInit, OnModuleDestroy {
  /** By session, the longest unused first. */
  private readonly visits = new Map<string, Visit>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly trail: SessionTrail) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.sweep(performance.now()), SWEEP_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    for (const id of this.visits.keys()) this.end(id, 'left');
  }

  /** Notes a request, which begins a visit unless there is one. */
  used(id: string, grant: Grant, now = performance.now()): void {
    const visit = this.visits.get(id) ?? { audited: this.trail.start(grant), usedAt: now };
    visit.usedAt = now;
    this.visits.delete(id);
    this.visits.set(id, visit);
    const [longest] = this.visits.keys();
    if (this.visits.size > MAX_VISITS && longest !== undefined) this.end(longest, 'left');
  }

  /** Ends the visit of a session, if there is one. */
  end(id: string, how: string, reason?: string): void {
    this.visits.get(id)?.audited.end({ how, reason });
    this.visits.delete(id);
  }

  /** Ends visits that are not used any more. */
  sweep(now: number): void {
    for (const [id, { usedAt }] of this.visits) {
      if (now - usedAt <= IDLE_MS) return;
      this.end(id, 'left');
    }
  }
}
