import type { ChangeKind } from '@warren/rules/changes';
import { backoff } from '../backoff.ts';
import { network } from '../network.ts';

/** A change of an object, by anyone: `GET /api/events`. */
export interface Change {
  kind: ChangeKind;
  id: string;
  account: string;
}

/** `broken`: the stream ended, maybe with the session; `resync`: anything may have changed. */
export type ChangeEvent = Change | { kind: 'broken' | 'resync' };

type Listener = (change: ChangeEvent) => void;

const LINGER_MS = 5_000;
/** The hub sends something every second. */
const LOOK_MS = 500;
/** Checks without a message until the hub counts as silent. Checks are counted, so that a paused page is not mistaken for silence. */
const SILENT_LOOKS = 5;
/** Checks without a message until the stream is replaced. */
const DEAD_LOOKS = 24;
/** Minimum of the assumed time to open a stream; a larger value only repeats known changes. */
const OPENING_MS = 2_000;
/** Factor from the response time of the document to that of a stream, which may need a new connection. */
const SLOWER = 4;
/** Maximum number of changes kept for answers that were requested before and arrive after them. */
const MAX_KEPT = 100;

/** Returns the time by both clocks, as either may stop while a machine sleeps. */
const moment = () => ({ page: performance.now(), wall: Date.now() });
const ageOf = (then: ReturnType<typeof moment>): number =>
  Math.ceil(Math.max(performance.now() - then.page, Date.now() - then.wall, 0));

/** Returns the response time of the document, in ms. */
function documentMs(): number {
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return document ? Math.max(document.responseStart - document.requestStart, 0) : 0;
}

/**
 * The hub's stream of changes, open while it has listeners. After a break it reopens with backoff, and everything is reloaded. Opening
 * it states the age of the page, and the hub sends the changes since then.
 */
export class Changes {
  private readonly listeners = new Set<Listener>();
  private source: EventSource | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private looking: ReturnType<typeof setInterval> | undefined;
  private looks = 0;
  /** False for an older hub, which sends nothing while nothing changes. */
  private speaks = false;
  /** The page has all changes until this time; at first, until the document was requested. */
  private knownUntil = { page: 0, wall: performance.timeOrigin };
  /** Whether the hub has sent the changes from before this stream. */
  private current = false;
  private kept: { at: number; change: Change }[] = [];
  /** Start of the kept changes, by `performance.now()`. */
  private keptSince = 0;

  constructor(private readonly open: (ageMs: number) => EventSource) {}

  /**
   * Calls a listener for each change.
   * @param since `performance.now()` of the listener's request: it gets the changes since then at once
   */
  subscribe(listener: Listener, since = performance.now()): () => void {
    this.listeners.add(listener);
    if (since < this.keptSince) listener({ kind: 'resync' });
    else for (const { at, change } of this.kept) if (at >= since) listener(change);
    if (!this.source && this.retry === undefined) this.connect();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) setTimeout(() => this.closeIfUnused(), LINGER_MS);
    };
  }

  private connect(): void {
    this.retry = undefined;
    this.current = false;
    const begun = moment();
    const mayTake = Math.max(OPENING_MS, Math.ceil(SLOWER * documentMs()));
    const source = this.open(ageOf(this.knownUntil) + mayTake);
    this.source = source;
    this.looking ??= setInterval(() => this.look(), LOOK_MS);
    source.onopen = () => {
      // Requests during the break may have failed, too.
      if (this.failures > 0) this.resync();
      this.failures = 0;
      this.hear();
    };
    source.addEventListener('alive', () => {
      this.speaks = true;
      // An older hub does not send earlier changes.
      if (!this.current) this.resync();
      this.hear();
    });
    source.addEventListener('current', () => {
      if (!this.current && ageOf(begun) > mayTake) this.resync();
      this.current = true;
      this.hear();
    });
    source.addEventListener('resync', () => this.resync());
    source.addEventListener('change', (event) => {
      this.hear();
      const change = parseChange((event as MessageEvent<string>).data);
      if (change) this.take(change);
    });
    source.onerror = () => this.lose();
  }

  private take(change: Change): void {
    this.kept.push({ at: performance.now(), change });
    if (this.kept.length > MAX_KEPT) this.keptSince = this.kept.shift()?.at ?? 0;
    this.tell(change);
  }

  private resync(): void {
    this.current = true;
    this.kept = [];
    this.keptSince = performance.now();
    this.hear();
    this.tell({ kind: 'resync' });
  }

  private lose(): void {
    this.source?.close();
    this.source = null;
    this.looks = Math.min(this.looks, SILENT_LOOKS);
    this.failures += 1;
    if (this.failures === 1) this.tell({ kind: 'broken' });
    this.retry = setTimeout(() => this.connect(), backoff(this.failures));
  }

  private hear(): void {
    this.looks = 0;
    if (this.current) this.knownUntil = moment();
    network.hears(false);
  }

  private look(): void {
    if (!this.speaks) return;
    this.looks += 1;
    if (this.looks >= SILENT_LOOKS) network.hears(true);
    if (this.looks >= DEAD_LOOKS && this.source) this.lose();
  }

  private closeIfUnused(): void {
    if (this.listeners.size > 0) return;
    clearTimeout(this.retry);
    this.retry = undefined;
    clearInterval(this.looking);
    this.looking = undefined;
    network.hears(false);
    this.failures = 0;
    this.source?.close();
    this.source = null;
  }

  private tell(change: ChangeEvent): void {
    for (const listener of this.listeners) listener(change);
  }
}

const kinds = [
  'device',
  'account',
  'user',
  'group',
  'invitation',
  'rollout',
  'alert',
  'audit',
  'access',
  'request',
  'guest',
];

/** Parses a change; null for another message. */
export function parseChange(data: string): Change | null {
  try {
    const value = JSON.parse(data) as Partial<Change> | null;
    if (!value || !kinds.includes(value.kind ?? '') || typeof value.id !== 'string') return null;
    return { kind: value.kind as ChangeKind, id: value.id, account: String(value.account ?? '') };
  } catch {
    return null;
  }
}

export const changes = new Changes((ageMs) => new EventSource(`/api/events?age=${ageMs}`));
