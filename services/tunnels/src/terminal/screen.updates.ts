import type { OutputSink } from './output.ts';
import type { Size } from './size.ts';

/** The screen at an offset, in place of output that a browser was too slow for. */
export interface Snapshot extends Size {
  offset: number;
  data: Uint8Array;
}

/** Events of a terminal's screen for a browser. */
export interface ScreenEvents {
  /** Shows a snapshot. */
  onSnapshot: (snapshot: Snapshot) => void;
  /** Shows that the terminal has another size. */
  onSize: (size: Size) => void;
}

/** Keeps the newest snapshot and the newest size while the browser's socket is busy. */
export class ScreenUpdates {
  private snapshot: Snapshot | undefined;
  private size: Size | undefined;

  constructor(
    private readonly sink: Pick<OutputSink, 'busy'>,
    private readonly events: ScreenEvents,
  ) {}

  /** True while a snapshot waits: the agent's stream should not be read. */
  get holdsSnapshot(): boolean {
    return this.snapshot !== undefined;
  }

  /** Takes a snapshot, which has its own size. */
  draw(snapshot: Snapshot): void {
    this.snapshot = snapshot;
    this.size = undefined;
    this.pump();
  }

  /** Takes a size. */
  resize(size: Size): void {
    this.size = size;
    this.pump();
  }

  /** Sends what waits while the socket has room. */
  pump(): void {
    if (!this.sink.busy()) this.sendSnapshot();
    if (!this.sink.busy()) this.sendSize();
  }

  /** Sends what waits, even to a busy socket. */
  finish(): void {
    this.sendSnapshot();
    this.sendSize();
  }

  private sendSnapshot(): void {
    const { snapshot } = this;
    this.snapshot = undefined;
    if (snapshot) this.events.onSnapshot(snapshot);
  }

  private sendSize(): void {
    const { size } = this;
    this.size = undefined;
    if (size) this.events.onSize(size);
  }
}
