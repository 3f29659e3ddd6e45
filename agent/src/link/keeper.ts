import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Backoff, DELETED, REDIAL, REFUSED, type BackoffLimits } from './backoff.ts';
import type { Carrier } from './dial.ts';
import type { Link } from './link.ts';
import { DialRefused } from './refusal.ts';

/** A link that lasted this long resets the backoff. */
const STABLE_MS = 10_000;
/** A draining replica waits no longer than this for its streams. */
const DRAIN_MS = 5 * 60_000;

export interface KeeperParts {
  dial: (signal: AbortSignal) => Promise<Carrier>;
  serve: (carrier: Carrier) => Link;
  /**
   * @param problem why there is no link; while connecting, the former reason
   * @param refused the hub refuses this device's key, and only a person can change that
   * @param wait milliseconds until the next dial, while it waits
   */
  onState: (state: 'connecting' | 'connected' | 'waiting', problem?: string, refused?: boolean, wait?: number) => void;
  /** The hub itself says that this device was deleted. */
  onDeleted?: () => void;
  log: Logger;
  backoff?: Backoff;
  stable?: number;
}

/** Keeps one link to the hub: dials, serves, and dials again until it is stopped. */
export class LinkKeeper {
  private parts: KeeperParts;
  private backoff: Backoff;
  private links = new Set<Link>();
  private stopping = new AbortController();
  /** The reason for the end of the last dial or link. */
  private problem: string | undefined;

  constructor(parts: KeeperParts) {
    this.parts = parts;
    this.backoff = parts.backoff ?? new Backoff();
  }

  /** Runs until `stop` is called. */
  async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const wait = await this.once().catch((error: unknown) => this.failed(error));
      if (wait > 0) await sleep(wait, undefined, { signal: this.stopping.signal }).catch(() => {});
    }
  }

  /** Sends a GOAWAY on every link and ends them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const ending = [...this.links].map((link) => {
      link.close();
      return link.closed;
    });
    await Promise.race([Promise.all(ending), sleep(1_000, undefined, { ref: false })]);
    for (const link of this.links) link.destroy('the agent is stopping');
  }

  /**
   * Runs one dial and the link that it opens.
   * @returns milliseconds to wait before the next dial
   */
  private async once(): Promise<number> {
    this.parts.onState('connecting', this.problem);
    const carrier = await this.parts.dial(this.stopping.signal);
    const link = this.parts.serve(carrier);
    const since = performance.now();
    this.links.add(link);
    void link.closed.then(() => this.links.delete(link));
    if (this.stopping.signal.aborted) link.destroy('the agent is stopping');
    this.problem = undefined;
    this.parts.onState('connected');
    this.parts.log.info({ carrier: carrier.kind }, 'linked with the hub');
    const left = await link.leave;
    const stable = performance.now() - since >= (this.parts.stable ?? STABLE_MS);
    if (stable) this.backoff.reset();
    if (left === 'goaway') return this.drain(link, stable);
    // Each agent notices silence at a different moment, which already spreads a fleet.
    return this.lost(await link.closed, left === 'silent' ? 0 : this.backoff.next(REDIAL));
  }

  /** The replica drains: dial again at once, while the old link finishes its streams. */
  private drain(link: Link, stable: boolean): number {
    this.parts.log.info('the hub asks to dial again');
    const late = setTimeout(() => link.destroy('the hub took too long to drain'), DRAIN_MS);
    late.unref();
    void link.closed.then(() => clearTimeout(late));
    // A hub that drains every link at once must not be flooded with dials.
    return stable ? 0 : this.backoff.next(REDIAL);
  }

  private lost(reason: string, wait: number): number {
    if (this.stopping.signal.aborted) return 0;
    this.problem = reason;
    this.parts.onState('waiting', reason, false, wait);
    this.parts.log.warn({ reason, wait: Math.round(wait) }, 'link lost');
    return wait;
  }

  private failed(error: unknown): number {
    if (this.stopping.signal.aborted) return 0;
    const refused = error instanceof DialRefused ? error : undefined;
    const reason = reasonOf(error, refused);
    const wait = this.backoff.next(limitsAfter(refused), refused?.clockLearned ? undefined : refused?.retryAfter);
    this.problem = reason;
    if (refused?.deleted) this.parts.onDeleted?.();
    this.parts.onState('waiting', reason, refused?.step === 'key', wait);
    this.parts.log.warn({ reason, status: refused?.status, wait: Math.round(wait) }, 'no link with the hub');
    return wait;
  }
}

function reasonOf(error: unknown, refused: DialRefused | undefined): string {
  const message = error instanceof Error ? error.message : String(error);
  const plain = refused?.deleted ? `this device was deleted at the hub (${message})` : message;
  return refused?.step ? `${refused.step}: ${plain}` : plain;
}

function limitsAfter(refused: DialRefused | undefined): BackoffLimits {
  if (!refused || refused.clockLearned || !refused.lasting) return REDIAL;
  return refused.deleted ? DELETED : REFUSED;
}
