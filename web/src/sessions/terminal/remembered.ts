import { recall, remember } from '../../lib/storage.ts';

const store = () => sessionStorage;
const key = (device: string) => `warren.terminal.${device}`;

/**
 * Sessions that this tab can come back to after a reload. A lock for each says which tab has it, because a duplicated tab copies
 * what the first one remembers, and two browsers would take one shell from each other in turns.
 */
export class RememberedSession {
  private release: (() => void) | null = null;
  private holding: string | null = null;

  constructor(private readonly device: string) {}

  /** The remembered session if no other tab has it; null without one, and where the browser has no locks (plain http). */
  async recall(): Promise<string | null> {
    const session = recall(key(this.device), store);
    return session && (await this.hold(session)) ? session : null;
  }

  /** Remembers a session as this tab's, or forgets it. */
  keep(session: string | null): void {
    remember(key(this.device), session, store);
    if (session === this.holding) return;
    this.leave();
    if (session) void this.hold(session);
  }

  /** Lets another page of this tab take the session. */
  leave(): void {
    this.release?.();
    this.release = null;
    this.holding = null;
  }

  private hold(session: string): Promise<boolean> {
    if (!('locks' in navigator)) return Promise.resolve(false);
    this.holding = session;
    return new Promise((resolve) => {
      void navigator.locks.request(`warren.terminal.${session}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        if (!lock) return undefined;
        return new Promise<void>((release) => {
          if (this.holding === session) this.release = release;
          else release();
        });
      });
    });
  }
}
