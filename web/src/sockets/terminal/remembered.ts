import { recall, remember } from '../../lib/storage.ts';

const store = () => sessionStorage;
const key = (place: string) => `warren.terminal.${place}`;

/** Forgets the terminal of a place, so that the next one there is new. */
export const forgetTerminal = (place: string): void => remember(key(place), null, store);

/**
 * Terminals that this tab can attach to after a reload. A lock for each marks the tab that has it: a duplicated tab copies the
 * memory of the first one, and two browsers would take one terminal from each other in turns.
 */
export class RememberedTerminal {
  private release: (() => void) | null = null;
  private holding: string | null = null;

  /** @param place the device's id, and which of the page's terminals it is */
  constructor(private readonly place: string) {}

  /** The remembered terminal if no other tab has it; null without one, and where the browser has no locks (plain http). */
  async recall(): Promise<string | null> {
    const terminal = recall(key(this.place), store);
    return terminal && (await this.hold(terminal)) ? terminal : null;
  }

  /** Remembers a terminal as this tab's, or forgets it. */
  keep(terminal: string | null): void {
    remember(key(this.place), terminal, store);
    if (terminal === this.holding) return;
    this.leave();
    if (terminal) void this.hold(terminal);
  }

  /** Releases the terminal to another page of this tab. */
  leave(): void {
    this.release?.();
    this.release = null;
    this.holding = null;
  }

  private hold(terminal: string): Promise<boolean> {
    if (!('locks' in navigator)) return Promise.resolve(false);
    this.holding = terminal;
    return new Promise((resolve) => {
      void navigator.locks.request(`warren.terminal.${terminal}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        if (!lock) return undefined;
        return new Promise<void>((release) => {
          if (this.holding === terminal) this.release = release;
          else release();
        });
      });
    });
  }
}
