import { SerializeAddon } from '@xterm/addon-serialize';
import headless, { type IMarker, type Terminal } from '@xterm/headless';
import type { RecordedEvent, Size } from '@warren/rules/recordings/frames';
import { CutScan } from './scan.ts';

/** A line that appeared on the screen. */
export interface Line {
  atMs: number;
  offset: number;
  text: string;
}

/** The screen at an offset. */
export interface Snapshot {
  atMs: number;
  offset: number;
  size: Size;
  data: string;
}

/** Bytes that are written at once, at most: fewer than the lines above the screen, so that they can't scroll one out of reach. */
const PIECE = 4_096;
const SHOWN_ABOVE = 200;
/** Cells of a screen, and of the lines above it; a cell takes 12 bytes. */
const MOST_CELLS = 250_000;
const MOST_CELLS_ABOVE = 640_000;
const MOST_SNAPSHOT = 262_144;
const SNAPSHOT_MS = 30_000;
const SNAPSHOT_BYTES = 1_048_576;
const MOST_LINE = 1_000;
/** Lines that were seen last: what a program draws again is no new line. */
const MOST_SEEN = 2_000;
/** Time of output that is looked at once. */
const LOOK_MS = 300;
const MOST_SIZE = 1_000;
// oxlint-disable-next-line no-control-regex
const NO_MOVE = /\x1b\[0[CD]/g;

/** Draws a recording without a display, and says which lines appeared. */
export class Screen {
  readonly lines: Line[] = [];
  readonly snapshots: Snapshot[] = [];
  private readonly terminal: Terminal;
  private readonly wanted: { lines: boolean; snapshots: boolean };
  private readonly serializer = new SerializeAddon();
  private readonly scan = new CutScan();
  private readonly seen = new Set<string>();
  private mark: IMarker | undefined;
  private offset = 0;
  private atMs = 0;
  /** Output that is drawn at once: a terminal takes a millisecond for each call. */
  private held: Uint8Array[] = [];
  private heldBytes = 0;
  private heldSince = 0;
  private last = { atMs: 0, offset: 0 };

  // Without parameter properties: in tests Node.js runs the worker from its source, and only strips types.
  constructor(size: Size, wanted: { lines: boolean; snapshots: boolean }) {
    this.wanted = wanted;
    // What it logs of wrong sequences has parts of the output.
    const shape = bounded(size);
    const scrollback = linesAbove(shape);
    const options = { ...shape, scrollback, allowProposedApi: true, logLevel: 'off' } as const;
    this.terminal = new headless.Terminal(options);
    this.terminal.loadAddon(this.serializer);
  }

  /** Continues from a snapshot. */
  async restore({ atMs, offset, size, data }: Snapshot): Promise<void> {
    this.terminal.reset();
    this.resize(size);
    await this.write(Buffer.from(data));
    Object.assign(this, { offset, atMs, last: { atMs, offset } });
    // Only lines that were not seen before are new.
    if (this.wanted.lines) this.collect({ isEnd: false, isDrawn: true });
  }

  async apply(event: RecordedEvent): Promise<void> {
    if (event.kind === 'output') return this.output(event.atMs, event.bytes);
    await this.look();
    this.atMs = event.atMs;
    switch (event.kind) {
      case 'resize':
        return this.resize(event);
      case 'gap':
        this.offset += event.bytes;
        return;
      case 'snapshot':
        return this.restore(event);
      case 'joined':
      case 'left':
        return;
    }
  }

  /** Takes what was drawn since the last look. */
  async look(isEnd = false): Promise<void> {
    await this.drawHeld();
    if (this.wanted.lines) this.collect({ isEnd, isDrawn: false });
  }

  dispose(): void {
    this.terminal.dispose();
  }

  private async output(atMs: number, bytes: Uint8Array): Promise<void> {
    if (this.heldBytes > 0 && atMs - this.heldSince >= LOOK_MS) await this.look();
    this.atMs = atMs;
    for (let at = 0; at < bytes.length;) {
      if (this.heldBytes === 0) this.heldSince = atMs;
      const piece = bytes.subarray(at, at + this.pieceSize - this.heldBytes);
      this.held.push(piece);
      this.heldBytes += piece.length;
      at += piece.length;
      if (this.heldBytes === this.pieceSize) await this.look();
    }
    // The end of an event is where a player can begin.
    if (this.isDue(this.heldBytes)) {
      await this.look();
      this.takeSnapshot();
    }
  }

  private async drawHeld(): Promise<void> {
    if (this.heldBytes === 0) return;
    const bytes = Buffer.concat(this.held);
    this.held = [];
    this.heldBytes = 0;
    await this.write(bytes);
    this.scan.follow(bytes);
    this.offset += bytes.length;
  }

  /** Whether it is time for a snapshot, with so many bytes that are not drawn yet. */
  private isDue(held: number): boolean {
    const { atMs, offset, last } = this;
    if (!this.wanted.snapshots || (atMs === last.atMs && last.offset > 0)) return false;
    return atMs - last.atMs >= SNAPSHOT_MS || offset + held - last.offset >= SNAPSHOT_BYTES;
  }

  private write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.terminal.write(bytes, resolve));
  }

  private resize(size: Size): void {
    const { cols, rows } = bounded(size);
    if (cols === this.terminal.cols && rows === this.terminal.rows) return;
    this.terminal.resize(cols, rows);
    this.terminal.options.scrollback = linesAbove({ cols });
  }

  private get pieceSize(): number {
    return linesAbove(this.terminal) - SHOWN_ABOVE;
  }

  private takeSnapshot(): void {
    if (!this.scan.isSafe) return;
    const { atMs, offset } = this;
    const { cols, rows } = this.terminal;
    const data = [SHOWN_ABOVE, 0]
      .map((scrollback) => this.serializer.serialize({ scrollback }).replace(NO_MOVE, ''))
      .find((text) => text.length <= MOST_SNAPSHOT);
    this.last = { atMs, offset };
    if (data !== undefined) this.snapshots.push({ atMs, offset, size: { cols, rows }, data });
  }

  /** @param isDrawn a snapshot was drawn: all of it may be new, and nothing has to be */
  private collect({ isEnd, isDrawn }: { isEnd: boolean; isDrawn: boolean }): void {
    const buffer = this.terminal.buffer.active;
    const isNormal = buffer.type === 'normal';
    const cursor = buffer.baseY + buffer.cursorY;
    const fresh = isNormal ? this.freshFrom(cursor) : cursor;
    const first = isDrawn ? 0 : Math.min(fresh, buffer.baseY);
    for (let row = first; row < buffer.baseY + this.terminal.rows; row++) {
      const line = buffer.getLine(row);
      if (!line || (line.isWrapped && row > first) || (row === cursor && !isEnd)) continue;
      const text = this.textFrom(row).trimEnd().slice(0, MOST_LINE);
      if (text.trim().length > 0)
        this.found(text, { isFresh: !isDrawn && isNormal && row >= fresh && row < cursor, isNormal });
    }
    if (!isNormal) return;
    this.mark?.dispose();
    this.mark = this.terminal.registerMarker(0);
  }

  /** The row where the cursor was at the last look; all that follows is new. */
  private freshFrom(cursor: number): number {
    if (!this.mark) return 0;
    return this.mark.isDisposed ? 0 : Math.min(this.mark.line, cursor);
  }

  /** A row with those that it continues in. */
  private textFrom(row: number): string {
    const buffer = this.terminal.buffer.active;
    let text = buffer.getLine(row)?.translateToString(false) ?? '';
    for (let next = row + 1; text.length < MOST_LINE && buffer.getLine(next)?.isWrapped; next++)
      text += buffer.getLine(next)?.translateToString(false) ?? '';
    return text;
  }

  private found(text: string, { isFresh, isNormal }: { isFresh: boolean; isNormal: boolean }): void {
    // Programs that fill the screen draw the same lines again and again, with other numbers.
    const key = isNormal ? text : text.replace(/\d+/g, '0');
    const isKnown = this.seen.delete(key);
    this.seen.add(key);
    const [oldest] = this.seen;
    if (this.seen.size > MOST_SEEN && oldest !== undefined) this.seen.delete(oldest);
    if (!isKnown || isFresh) this.lines.push({ atMs: this.atMs, offset: this.offset, text });
  }
}

/** A size that takes no more memory than that of a large display: what a device says is not trusted. */
function bounded(size: Size): Size {
  const cols = Math.min(Math.max(size.cols, 2), MOST_SIZE);
  return { cols, rows: Math.min(Math.max(size.rows, 1), MOST_SIZE, Math.floor(MOST_CELLS / cols)) };
}

const linesAbove = ({ cols }: Pick<Size, 'cols'>): number =>
  Math.min(PIECE + SHOWN_ABOVE, Math.floor(MOST_CELLS_ABOVE / cols));
