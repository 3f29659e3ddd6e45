import type { Cell } from '../features/device/terminal/echo/line.ts';
import type { ScreenView } from '../features/device/terminal/echo/predictor.ts';

const ESC = '\x1b';
const SEQUENCE = new RegExp(String.raw`${ESC}\[(\d*)([@CDHKP])|[\s\S]`, 'gu');

/** A small terminal: characters with wrapping, CR, LF, BS, and of ECMA-48 ICH, CUF, CUB, CUP (to the corner), EL and DCH. */
export class FakeScreen implements ScreenView {
  readonly lines: string[][] = [[]];
  cursor = { row: 0, col: 0 };

  constructor(readonly cols = 20) {}

  cells(): Cell[] {
    return Array.from({ length: this.cols }, (_, col) => ({ char: this.line[col] ?? ' ', width: 1, faint: false }));
  }

  write(output: string): void {
    for (const [text, count = '', final = ''] of output.matchAll(SEQUENCE)) {
      if (final) this.control(final, Number(count) || 1);
      else this.print(text);
    }
  }

  /** The text of the cursor's row, as predictions would show it. */
  get row(): string {
    return this.cells()
      .map(({ char }) => char)
      .join('')
      .trimEnd();
  }

  private get line(): string[] {
    return (this.lines[this.cursor.row] ??= []);
  }

  private print(char: string): void {
    const { cursor } = this;
    if (char === '\r') cursor.col = 0;
    else if (char === '\n') cursor.row += 1;
    else if (char === '\b') cursor.col = Math.max(0, Math.min(cursor.col, this.cols - 1) - 1);
    else if (char >= ' ') {
      if (cursor.col >= this.cols) this.cursor = { row: cursor.row + 1, col: 0 };
      this.fill();
      this.line[this.cursor.col] = char;
      this.cursor.col += 1;
    }
  }

  private control(final: string, count: number): void {
    const { cursor } = this;
    this.fill();
    if (final === 'C') cursor.col = Math.min(this.cols - 1, cursor.col + count);
    if (final === 'D') cursor.col = Math.max(0, Math.min(cursor.col, this.cols - 1) - count);
    if (final === 'H') this.cursor = { row: 0, col: 0 };
    if (final === 'K') this.line.length = Math.min(this.line.length, cursor.col);
    if (final === 'P') this.line.splice(cursor.col, count);
    if (final === '@') this.line.splice(cursor.col, 0, ...' '.repeat(count));
    this.line.length = Math.min(this.line.length, this.cols);
  }

  /** Blanks up to the cursor. */
  private fill(): void {
    while (this.line.length < this.cursor.col) this.line.push(' ');
  }
}
