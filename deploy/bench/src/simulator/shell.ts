import type { Pty, PtyExit } from '@warren/agent/system/pty';

const PROMPT = '$ ';
const LINE = 10;
const LINES_AT_ONCE = 3_200;
const LONGEST_COUNT = 100_000_000;

/** A shell that is none: it echoes, `count 1000` prints numbered lines, `exit` ends it. */
export class SimulatedShell implements Pty {
  readonly pid = process.pid;
  readonly backlog = 0;
  onData: (bytes: Uint8Array) => void = () => {};
  onWritable: () => void = () => {};
  onExit: (exit: PtyExit) => void = () => {};
  private typed = '';
  private paused = false;
  private ended = false;
  private next = 1;
  private last = 0;
  private pumping = false;

  constructor() {
    setImmediate(() => this.print(PROMPT));
  }

  write(bytes: Uint8Array): void {
    for (const character of Buffer.from(bytes).toString('latin1')) this.type(character);
  }

  resize(): void {}

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.pump();
  }

  hangUp(): void {
    this.end({ code: 0, signal: 1 });
  }

  private type(character: string): void {
    if (character !== '\r' && character !== '\n') {
      this.typed += character;
      return this.print(character);
    }
    this.print('\r\n');
    const line = this.typed.trim();
    this.typed = '';
    const count = /^count (\d{1,9})$/.exec(line)?.[1];
    if (line === 'exit') return this.end({ code: 0, signal: 0 });
    if (count === undefined) return this.print(PROMPT);
    this.next = 1;
    this.last = Math.min(Number(count), LONGEST_COUNT);
    this.pump();
  }

  /** Prints in pieces, with the event loop's turn between them, so that thousands of shells share one process. */
  private pump(): void {
    if (this.pumping || this.next > this.last) return;
    this.pumping = true;
    setImmediate(() => {
      this.pumping = false;
      if (this.paused || this.ended) return;
      const until = Math.min(this.last, this.next + LINES_AT_ONCE - 1);
      let text = '';
      for (; this.next <= until; this.next++) text += `${String(this.next).padStart(LINE - 2, '0')}\r\n`;
      this.print(this.next > this.last ? text + PROMPT : text);
      this.pump();
    });
  }

  private print(text: string): void {
    if (!this.ended) this.onData(Buffer.from(text, 'latin1'));
  }

  private end(exit: PtyExit): void {
    if (this.ended) return;
    this.ended = true;
    setImmediate(() => this.onExit(exit));
  }
}
