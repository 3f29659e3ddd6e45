import { backoff } from '../backoff.ts';
import { network } from '../network.ts';

/** Something was changed by someone, somewhere: `GET /api/events`. */
export interface Change {
  kind: 'device' | 'account' | 'user' | 'group' | 'invitation' | 'rollout' | 'alert';
  id: string;
  account: string;
}

/** `broken`: the stream has ended, perhaps because the session has; `resync`: anything may have changed. */
export type ChangeEvent = Change | { kind: 'broken' | 'resync' };

type Listener = (change: ChangeEvent) => void;

const LINGER_MS = 5_000;
/** The hub sends something every second. */
const LOOK_MS = 500;
/** Looks without a word until the hub counts as silent; counted, so that a pause of this page itself is no silence. */
const SILENT_LOOKS = 5;
/** And until the stream is given up for another. */
const DEAD_LOOKS = 24;
/** What opening a stream takes, at least; with more, the hub tells what is known already. */
const OPENING_MS = 2_000;
/** Openings are slower than the answer to the document was: they may be the first on their connection. */
const SLOWER = 4;
/** Changes that are kept for answers that were asked for before them and come after. */
const MAX_KEPT = 100;

/** By both clocks, as either may stand still while a machine sleeps. */
const moment = () => ({ page: performance.now(), wall: Date.now() });
const ageOf = (then: ReturnType<typeof moment>): number =>
  Math.ceil(Math.max(performance.now() - then.page, Date.now() - then.wall, 0));

/** What the answer to the document took, in ms. */
function documentMs(): number {
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return document ? Math.max(document.responseStart - document.requestStart, 0) : 0;
}

/**
 * The hub's stream of changes, open while anyone listens; a broken one is opened again with backoff, and then everything is read
 * again. The first opening says how old the page is, and the hub tells what came since.
 */
export class Changes {
  private readonly listeners = new Set<Listener>();
  private source: EventSource | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private looking: ReturnType<typeof setInterval> | undefined;
  private looks = 0;
  /** A hub of an older version says nothing while nothing changes. */
  private speaks = false;
  /** The page knows all changes until this moment; at first, until the document was requested. */
  private knownUntil = { page: 0, wall: performance.timeOrigin };
  /** Whether the hub has sent the changes from before this stream. */
  private current = false;
  private kept: { at: number; change: Change }[] = [];
  /** Since when (`performance.now()`) every change is kept. */
  private keptSince = 0;

  constructor(private readonly open: (ageMs: number) => EventSource) {}

  /**
   * Calls back for each change until it is undone.
   * @param since `performance.now()` when the listener asked for what it keeps current: it gets the changes since then at once
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
      // What was asked for during the break may have failed, too.
      if (this.failures > 0) this.resync();
      this.failures = 0;
      this.hear();
    };
    source.addEventListener('alive', () => {
      this.speaks = true;
      // A hub of an older version does not tell what came before.
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

const kinds = ['device', 'account', 'user', 'group', 'invitation', 'rollout', 'alert'];

/** A change as it came over the wire; null when it is not one. */
export function parseChange(data: string): Change | null {
  try {
    const value = JSON.parse(data) as Partial<Change> | null;
    if (!value || !kinds.includes(value.kind ?? '') || typeof value.id !== 'string') return null;
    return { kind: value.kind as Change['kind'], id: value.id, account: String(value.account ?? '') };
  } catch {
    return null;
  }
}

export const changes = new Changes((ageMs) => new EventSource(`/api/events?age=${ageMs}`));
