import { Predictor } from '../features/device/terminal/echo/predictor.ts';
import type { Overlay } from '../features/device/terminal/echo/predictor.ts';
import { FakeScreen } from './fake-screen.ts';

/** A program on the device: what it prints after a key. */
export type Program = (text: string) => string;

/** How long the agent waits before it acknowledges input, in ms. */
const ACCEPT_MS = 20;

/** A line editor that echoes, as shells have. */
export function editor(): Program {
  const line: string[] = [];
  let at = 0;
  const rest = () => line.slice(at).join('');
  const back = (count: number) => '\b'.repeat(count);
  return (text) => {
    if (text === '\r') {
      line.length = at = 0;
      return '\r\n$ ';
    }
    if (text === '\x7f') {
      if (at === 0) return '';
      line.splice(--at, 1);
      return `\b${rest()} ${back(line.length - at + 1)}`;
    }
    if (text === '\x1b[D') return at > 0 ? (at--, '\b') : '';
    if (text === '\x1b[C') return at < line.length ? (line[at++] ?? '') : '';
    line.splice(at++, 0, text);
    return text + rest() + back(line.length - at);
  };
}

/** A predictor and a program with a slow line between them. A virtual clock counts ms. */
export class SlowLine {
  readonly screen: FakeScreen;
  readonly predictor: Predictor;
  now = 0;
  /** Called after each change. */
  onChange: () => void = () => {};
  private events: { at: number; run: () => void }[] = [];
  private typed = 0;
  private acknowledged = 0;
  private received = 0;
  private isTelling = false;

  constructor(
    public program: Program,
    readonly roundTrip = 300,
    cols = 20,
  ) {
    this.screen = new FakeScreen(cols);
    this.predictor = new Predictor(this.screen);
  }

  /** Types a key now. */
  key(text: string): void {
    this.typed += text.length;
    const end = this.typed;
    this.predictor.typed(text, end, this.now);
    this.onChange();
    this.after(this.roundTrip / 2, () => this.receive(text, end));
  }

  /** Types keys, each so long after the one before, and lets the last of these pauses pass. */
  keys(keys: Iterable<string>, pause = 100): void {
    for (const text of keys) {
      this.key(text);
      this.pass(pause);
    }
  }

  /** Prints without a key. */
  print(output: string): void {
    this.after(this.roundTrip / 2, () => this.draw(output));
  }

  /** Lets time pass. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const wake = this.predictor.nextAt ?? Infinity;
      const next = Math.min(wake, ...this.events.map(({ at }) => at));
      if (next > until) break;
      this.now = Math.max(this.now, next);
      if (wake === next) this.predictor.tick(this.now);
      const index = this.events.findIndex(({ at }) => at <= this.now);
      if (index !== -1) this.events.splice(index, 1)[0]?.run();
      this.onChange();
    }
    this.now = until;
  }

  /** The cursor's row with what is predicted, and `|` at the cursor. */
  get shown(): string {
    const { overlay } = this.predictor;
    const cells = this.screen.cells().map(({ char }) => char);
    for (const { col, char } of overlay?.cells ?? []) cells[col] = char;
    return cells
      .toSpliced(overlay?.cursor?.col ?? this.screen.cursor.col, 0, '|')
      .join('')
      .trimEnd();
  }

  get overlay(): Overlay | null {
    return this.predictor.overlay;
  }

  private receive(text: string, end: number): void {
    this.received = end;
    const output = this.program(text);
    if (output) this.after(this.roundTrip / 2, () => this.draw(output));
    if (this.isTelling) return;
    this.isTelling = true;
    this.after(ACCEPT_MS, () => {
      this.isTelling = false;
      this.acknowledged = this.received;
      const offset = this.acknowledged;
      this.after(this.roundTrip / 2, () => this.predictor.accepted(offset, this.now));
    });
  }

  private draw(output: string): void {
    this.screen.write(output);
    this.predictor.tick(this.now);
  }

  private after(ms: number, run: () => void): void {
    this.events.push({ at: this.now + ms, run });
    this.events.sort((a, b) => a.at - b.at);
  }
}
