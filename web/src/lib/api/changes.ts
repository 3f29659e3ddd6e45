import { backoff } from '../backoff.ts';
import { network } from '../network.ts';

/** Something was changed by someone, somewhere: `GET /api/events`. */
export interface Change {
  kind: 'device' | 'account' | 'user' | 'group' | 'invitation' | 'rollout';
  id: string;
  account: string;
}

/**
 * `broken`: the stream has ended, perhaps because the session has; `resync`: it is back, and anything may have changed meanwhile.
 */
export type ChangeEvent = Change | { kind: 'broken' | 'resync' };

type Listener = (change: ChangeEvent) => void;

const LINGER_MS = 5_000;
/** The hub sends something every second. */
const LOOK_MS = 500;
/** Looks without a word until the hub counts as silent; counted, so that a pause of this page itself is no silence. */
const SILENT_LOOKS = 5;
/** And until the stream is given up for another. */
const DEAD_LOOKS = 24;

/** The hub's stream of changes, open while anyone listens; a broken one is opened again with backoff. */
export class Changes {
  private readonly listeners = new Set<Listener>();
  private source: EventSource | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private looking: ReturnType<typeof setInterval> | undefined;
  private looks = 0;
  /** A hub of an older version says nothing while nothing changes. */
  private speaks = false;

  constructor(private readonly open: () => EventSource) {}

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    if (!this.source && this.retry === undefined) this.connect();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) setTimeout(() => this.closeIfUnused(), LINGER_MS);
    };
  }

  private connect(): void {
    this.retry = undefined;
    const source = this.open();
    this.source = source;
    this.looking ??= setInterval(() => this.look(), LOOK_MS);
    source.onopen = () => {
      if (this.failures > 0) this.tell({ kind: 'resync' });
      this.failures = 0;
      this.hear();
    };
    source.addEventListener('alive', () => {
      this.speaks = true;
      this.hear();
    });
    source.addEventListener('change', (event) => {
      this.hear();
      const change = parseChange((event as MessageEvent<string>).data);
      if (change) this.tell(change);
    });
    source.onerror = () => this.lose();
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

const kinds = ['device', 'account', 'user', 'group', 'invitation', 'rollout'];

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

export const changes = new Changes(() => new EventSource('/api/events'));
