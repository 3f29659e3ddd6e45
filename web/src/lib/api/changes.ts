import { backoff } from '../backoff.ts';

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

/** The hub's stream of changes, open while anyone listens; a broken one is opened again with backoff. */
export class Changes {
  private readonly listeners = new Set<Listener>();
  private source: EventSource | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

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
    source.onopen = () => {
      if (this.failures > 0) this.tell({ kind: 'resync' });
      this.failures = 0;
    };
    source.addEventListener('change', (event) => {
      const change = parseChange((event as MessageEvent<string>).data);
      if (change) this.tell(change);
    });
    source.onerror = () => {
      source.close();
      this.source = null;
      this.failures += 1;
      if (this.failures === 1) this.tell({ kind: 'broken' });
      this.retry = setTimeout(() => this.connect(), backoff(this.failures));
    };
  }

  private closeIfUnused(): void {
    if (this.listeners.size > 0) return;
    clearTimeout(this.retry);
    this.retry = undefined;
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
