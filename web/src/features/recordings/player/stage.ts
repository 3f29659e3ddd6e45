import { offsetAfter, type RecordedEvent, type Size } from '@warren/rules/recordings/frames';
import type { Cursor } from './cursor.ts';
import type { Snapshot } from './source.ts';

/** What recordings are drawn on. */
export interface ReplayScreen {
  /** Draws after what was written before; `done` is called when it is drawn. */
  write: (data: Uint8Array | string, done: () => void) => void;
  /** At once: what was written before is drawn already. */
  resize: (size: Size) => void;
}

/** Resets a terminal (RIS, ECMA-48). */
const RESET = '\x1bc';
/** Bytes that the screen may have ahead; beyond, drawing waits. */
const AHEAD = 262_144;

/** Draws events of a recording in the order of the calls, and never far ahead of the screen. */
export class Stage {
  private ahead = 0;
  private waiting: (() => void)[] = [];
  private last = Promise.resolve();
  /** Output is missing before the cursor, so that a snapshot differs from the screen. */
  private isBroken = false;

  constructor(private readonly screen: ReplayScreen) {}

  /** Empties the screen. */
  clear(size: Size): Promise<void> {
    return this.restore({ size, data: '' });
  }

  /** Draws a snapshot in place of everything. */
  restore({ size, data }: Pick<Snapshot, 'size' | 'data'>): Promise<void> {
    this.isBroken = false;
    return this.next(async () => {
      this.write(RESET);
      await this.drawn();
      this.screen.resize(size);
      this.write(data);
    });
  }

  /** Draws an event. The cursor is behind it at once. */
  draw(event: RecordedEvent, cursor: Cursor): Promise<void> {
    const { skip, offset } = cursor;
    cursor.offset = offsetAfter(offset - skip, event);
    cursor.skip = 0;
    cursor.event += 1;
    switch (event.kind) {
      case 'output':
        return this.next(() => this.output(event.bytes.subarray(skip)));
      case 'resize':
        return this.next(() => this.resize(event));
      case 'gap':
        this.isBroken = true;
        return this.last;
      case 'snapshot':
        // One of what is drawn already would only forget the lines above the screen.
        return this.isBroken || event.offset !== offset ? this.restore(event) : this.last;
      default:
        return this.last;
    }
  }

  /** Resolves once everything is drawn. */
  async finish(): Promise<void> {
    await this.last;
    await this.drawn();
  }

  private next(draw: () => Promise<void>): Promise<void> {
    this.last = this.last.then(draw);
    return this.last;
  }

  private async output(bytes: Uint8Array): Promise<void> {
    this.write(bytes);
    if (this.ahead > AHEAD) await this.drawn();
  }

  private async resize(size: Size): Promise<void> {
    await this.drawn();
    this.screen.resize(size);
  }

  private drawn(): Promise<void> {
    if (this.ahead === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private write(data: Uint8Array | string): void {
    const { length } = data;
    if (length === 0) return;
    this.ahead += length;
    this.screen.write(data, () => {
      this.ahead -= length;
      if (this.ahead > 0) return;
      const { waiting } = this;
      this.waiting = [];
      for (const resolve of waiting) resolve();
    });
  }
}
