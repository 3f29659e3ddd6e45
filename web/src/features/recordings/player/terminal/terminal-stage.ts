import type { RecordedEvent, Size } from '@warren/rules/recordings/frames';
import type { Snapshot } from '../source.ts';
import type { Stage } from '../stage.ts';

/** The screen of a recorded terminal. */
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

/** Draws events of a terminal, and never far ahead of its screen. */
export class TerminalStage implements Stage {
  readonly hasSnapshots = true;
  private ahead = 0;
  private waiting: (() => void)[] = [];
  private last = Promise.resolve();
  /** Output is missing before the cursor, so that a snapshot differs from the screen. */
  private isBroken = false;

  /** @param size at the start of the session */
  constructor(
    private readonly screen: ReplayScreen,
    private readonly size: Size,
  ) {}

  begin(snapshot: Snapshot | null): Promise<void> {
    return this.restore(snapshot ?? { size: this.size, data: '' });
  }

  draw(event: RecordedEvent, offset: number, skip: number): Promise<void> {
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

  async finish(): Promise<void> {
    await this.last;
    await this.drawn();
  }

  private restore({ size, data }: Pick<Snapshot, 'size' | 'data'>): Promise<void> {
    this.isBroken = false;
    return this.next(async () => {
      this.write(RESET);
      await this.drawn();
      this.screen.resize(size);
      this.write(data);
    });
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
