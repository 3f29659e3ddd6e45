import type { Terminal as HeadlessTerminal } from '@xterm/headless';
import type { SerializeAddon } from '@xterm/addon-serialize';
import type { PtySize } from '../system/pty.ts';

/** Rows above the visible ones that a snapshot has at most. */
export const SCROLLBACK = 200;
/** The serializer moves the cursor by 0 columns, which terminals take for 1 (ECMA-48, section 8.3.20). */
// oxlint-disable-next-line no-control-regex
const NO_MOVE = /\x1b\[0[CD]/g;

type Margins = { top: number; bottom: number } | undefined;

/** A screen without a display, and what draws it on another one. Cursors that programs have saved (DECSC) are not part of it. */
export class Emulator {
  private readonly screen: HeadlessTerminal;
  private readonly serializer: SerializeAddon;
  /** Scroll regions (DECSTBM) of the normal and the alternate screen; the serializer leaves them out. */
  private margins: { normal: Margins; alternate: Margins } = { normal: undefined, alternate: undefined };
  /** Whether letters are drawn as lines (DEC Special Graphics in G0). */
  private drawsLines = false;

  private constructor(screen: HeadlessTerminal, serializer: SerializeAddon) {
    this.screen = screen;
    this.serializer = serializer;
    screen.loadAddon(serializer);
    this.watch();
  }

  /** Loads the code at the first use: it takes 13 MB, which most devices never need. */
  static async load({ cols, rows }: PtySize): Promise<Emulator> {
    const [headless, serialize] = await Promise.all([import('@xterm/headless'), import('@xterm/addon-serialize')]);
    const options = { cols, rows, scrollback: SCROLLBACK, allowProposedApi: true };
    return new Emulator(new headless.default.Terminal(options), new serialize.SerializeAddon());
  }

  get size(): PtySize {
    return { cols: this.screen.cols, rows: this.screen.rows };
  }

  resize({ cols, rows }: PtySize): void {
    if (cols === this.screen.cols && rows === this.screen.rows) return;
    this.screen.resize(cols, rows);
    this.margins = { normal: undefined, alternate: undefined };
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.screen.write(bytes, resolve));
  }

  /**
   * Returns what draws this screen on one that was reset and has this size.
   * @param scrollback rows above the visible ones
   */
  serialize(scrollback: number): Uint8Array<ArrayBuffer> {
    const margins = this.margins[this.screen.buffer.active.type];
    // Setting a region moves the cursor.
    const region = margins ? `\x1b7\x1b[${margins.top};${margins.bottom}r\x1b8` : '';
    const drawn = this.serializer.serialize({ scrollback }).replace(NO_MOVE, '');
    return new TextEncoder().encode(`${drawn}${region}${this.drawsLines ? '\x1b(0' : ''}`);
  }

  dispose(): void {
    this.screen.dispose();
  }

  /** Follows what the serializer leaves out. The handlers return false: the screen acts on the sequence too. */
  private watch(): void {
    const { parser, buffer } = this.screen;
    parser.registerCsiHandler({ final: 'r' }, ([top, bottom]) => this.region(Number(top), Number(bottom)));
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => this.reset());
    parser.registerEscHandler({ final: 'c' }, () => this.reset());
    for (const final of ['0', 'A', 'B']) {
      parser.registerEscHandler({ intermediates: '(', final }, () => {
        this.drawsLines = final === '0';
        return false;
      });
    }
    buffer.onBufferChange(({ type }) => {
      if (type === 'normal') this.margins.alternate = undefined;
    });
  }

  private region(top = 1, bottom = 0): false {
    const { rows } = this.screen;
    const last = bottom === 0 || bottom > rows ? rows : bottom;
    const first = Math.max(1, top);
    // Others are ignored.
    if (last > first) this.margins[this.screen.buffer.active.type] = { top: first, bottom: last };
    return false;
  }

  private reset(): false {
    this.margins = { normal: undefined, alternate: undefined };
    this.drawsLines = false;
    return false;
  }
}
