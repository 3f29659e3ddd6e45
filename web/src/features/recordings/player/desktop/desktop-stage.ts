import type { RecordedEvent } from '@warren/rules/recordings/frames';
import type { Stage } from '../stage.ts';

/**
 * Why nothing more is drawn of a desktop. `encrypted`: by its server, with keys that nobody has. `refused`: its server let nobody in.
 * `gap`: output is missing. `undrawable`: noVNC can't read it.
 */
export type NotDrawn =
  | { kind: 'encrypted' | 'refused' }
  | { kind: 'gap'; bytes: number }
  | { kind: 'undrawable'; reason: string };

/** Draws a desktop from the first byte that its server sent. It begins out of sight. */
export interface DesktopPicture {
  readonly notDrawn: NotDrawn | null;
  take: (bytes: Uint8Array) => void;
  /** Resolves once all that was taken is drawn. */
  drawn: () => Promise<void>;
  /** Draws nothing more. */
  stop: (why: NotDrawn) => void;
  reveal: () => void;
  close: () => void;
}

/** Bytes that are drawn in one piece. */
const PIECE = 65_536;
/** Time that drawing takes before the browser gets its turn, in milliseconds. */
const WORK_MS = 24;

/** Draws the events of a desktop. After a step back the former picture stays until the new one is as far. */
export class DesktopStage implements Stage {
  // RFB compresses all rectangles as one zlib stream, so a picture is drawn from its first byte (RFC 6143, section 7.7.6).
  readonly hasSnapshots = false;
  private shown: DesktopPicture | null = null;
  private drawing: DesktopPicture | null = null;
  private worked = 0;

  /**
   * @param open makes a picture, which calls `onStop` once it draws nothing more
   * @param onNotDrawn says why the picture that is shown ends; null while it does not
   */
  constructor(
    private readonly open: (onStop: () => void) => DesktopPicture,
    private readonly onNotDrawn: (why: NotDrawn | null) => void,
  ) {}

  begin(): Promise<void> {
    if (this.drawing !== this.shown) this.drawing?.close();
    this.drawing = this.open(() => this.report());
    return Promise.resolve();
  }

  async draw(event: RecordedEvent): Promise<void> {
    const { drawing } = this;
    if (event.kind === 'gap') drawing?.stop({ kind: 'gap', bytes: event.bytes });
    if (event.kind !== 'output') return;
    for (let at = 0; at < event.bytes.length && drawing?.notDrawn === null; at += PIECE) {
      const since = performance.now();
      drawing.take(event.bytes.subarray(at, at + PIECE));
      this.worked += performance.now() - since;
      await drawing.drawn();
      if (this.worked > WORK_MS) await this.rest();
    }
  }

  async finish(): Promise<void> {
    const { drawing, shown } = this;
    await drawing?.drawn();
    if (drawing !== this.drawing) return;
    if (drawing !== shown) {
      drawing?.reveal();
      shown?.close();
      this.shown = drawing;
    }
    this.report();
  }

  dispose(): void {
    this.drawing?.close();
    this.shown?.close();
    this.drawing = this.shown = null;
  }

  private report(): void {
    this.onNotDrawn(this.shown?.notDrawn ?? null);
  }

  private async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.worked = 0;
  }
}
