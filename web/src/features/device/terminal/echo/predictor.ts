import { keyOf } from './keys.ts';
import type { Key } from './keys.ts';
import { after } from './line.ts';
import type { Cell, Line } from './line.ts';
import { EchoPace, GLITCH_MS } from './pace.ts';

export const ECHO_MODES = ['auto', 'always', 'never'] as const;
export type EchoMode = (typeof ECHO_MODES)[number];

/** The drawn screen, of which nothing is changed. */
export interface ScreenView {
  /** The cursor; `row` counts from the start of the scrollback. `col` is the row's length when the next character wraps. */
  readonly cursor: { row: number; col: number };
  /** The cells of the cursor's row. */
  cells(): readonly Cell[];
}

/** What is drawn over the screen: cells of one row that differ from it. */
export interface Overlay {
  row: number;
  cells: { col: number; char: string; width: number; underlined: boolean }[];
  /** The predicted cursor, and the cell below it; null where the real one is right. */
  cursor: { col: number; char: string; width: number } | null;
}

/** A key whose effect the screen does not show yet. */
interface Pending {
  key: Key;
  /** The offset after it in the terminal's input. */
  end: number;
  /** The time of the keystroke, in ms. */
  at: number;
  epoch: number;
  /** When the device's acknowledgement arrived, in ms. */
  acceptedAt: number | null;
}

/** How long after the acknowledgement of its key the echo may come at least and at most, in ms; the device acknowledges after 20 ms. */
const GRACE_MS = 20;
const MOST_GRACE_MS = 200;
/** In between it may come this much later than the usual echo, in ms. */
const LATE_MS = 45;
/** How long after the acknowledgement keys without an echo count as disproved, in ms. Nothing is shown meanwhile. */
const PATIENCE_MS = 500;
/** More keys than a person types within seconds. */
const MOST_KEYS = 256;
const UNKNOWN: Key = { kind: 'other' };
/** Programs echo passwords with it, so it is no sign that they echo what is typed. */
const MASK = '*';

/**
 * Predicts what typed keys will change on the screen, after the State Synchronization Protocol's paper (Winstein and Balakrishnan,
 * USENIX ATC 2012, section 3.2). It never changes the screen: it says what to draw over it. Keys belong to epochs; each key with an
 * unknown effect begins another, and nothing of an epoch is shown before the screen has confirmed a typed character of it. It is
 * shown only while the screen is in one of the predicted states, and hidden once a key is acknowledged but has had no effect.
 */
export class Predictor {
  readonly pace = new EchoPace();
  private keys: Pending[] = [];
  /** The anchor, which is the screen itself, then the predicted row after each key, up to the first unknown one. */
  private lines: Line[] = [];
  private row = 0;
  private epoch = 1;
  private confirmed = 0;
  /** False while the screen differs from what is predicted, or is behind it. */
  private isOnPath = true;
  private tickedAt = 0;
  private inserts = true;
  private current: EchoMode = 'auto';

  constructor(private readonly screen: ScreenView) {}

  get mode(): EchoMode {
    return this.current;
  }

  set mode(mode: EchoMode) {
    this.current = mode;
    if (mode === 'never') this.reset();
  }

  /** Whether predictions are shown now, as far as programs confirm them. */
  get isActive(): boolean {
    return this.mode === 'always' || (this.mode === 'auto' && this.pace.isSlow);
  }

  /** Takes an input event. @param end the offset after it in the terminal's input */
  typed(text: string, end: number, now: number): void {
    if (this.mode === 'never') return;
    if (this.keys.length >= MOST_KEYS) this.reset();
    if (this.keys.length === 0) this.start();
    this.append({ key: keyOf(text), end, at: now, epoch: 0, acceptedAt: null });
  }

  /** The device has passed all input before `offset` to the program. */
  accepted(offset: number, now: number): void {
    for (const key of this.keys) if (key.end <= offset) key.acceptedAt ??= now;
    this.tick(now);
  }

  /** Compares predictions with the screen: after each change of it, and at `nextAt`. */
  tick(now: number): void {
    const oldest = this.keys[0];
    if (!oldest) return;
    this.tickedAt = now;
    this.pace.waiting(now - oldest.at);
    const judged = this.countUntil(now, (key) => this.judgedAt(key));
    const reached = this.reached(judged);
    this.isOnPath = reached !== null;
    if (reached !== null) return this.confirm(reached, now);
    const behind = judged < this.lines.length ? this.reached(0) : null;
    if (behind !== null) this.confirm(behind, now);
    const over = behind === null ? judged : this.countUntil(now, disprovedAt);
    if (over > 0) this.resync(over);
  }

  /** How many keys, from the oldest, have their time at `now` or before. */
  private countUntil(now: number, timeOf: (key: Pending) => number): number {
    const later = this.keys.findIndex((key) => timeOf(key) > now);
    return later === -1 ? this.keys.length : later;
  }

  /** When a key without an echo is in doubt: a usual echo and a little later, but not long after its acknowledgement. */
  private judgedAt({ at, acceptedAt }: Pending): number {
    if (acceptedAt === null) return Infinity;
    const late = at + (this.pace.roundTrip ?? 0) + LATE_MS;
    return Math.min(Math.max(late, acceptedAt + GRACE_MS), acceptedAt + MOST_GRACE_MS);
  }

  /** When to call `tick` though nothing has arrived; null when there is no need. */
  get nextAt(): number | null {
    const oldest = this.keys[0];
    if (!oldest) return null;
    if (oldest.acceptedAt !== null) {
      const judgedAt = this.judgedAt(oldest);
      return judgedAt > this.tickedAt ? judgedAt : disprovedAt(oldest);
    }
    return this.pace.isSlow ? null : oldest.at + GLITCH_MS;
  }

  /** Drops all predictions: another terminal, size or screen. */
  reset(): void {
    this.keys = [];
    this.lines = [];
    this.isOnPath = true;
    this.inserts = true;
    this.epoch += 1;
  }

  /** What to draw now; null for nothing. */
  get overlay(): Overlay | null {
    if (!this.isActive || !this.isOnPath) return null;
    const hidden = this.keys.findIndex(({ epoch }) => epoch > this.confirmed);
    const shown = Math.min(hidden === -1 ? this.keys.length : hidden, this.lines.length - 1);
    const [base] = this.lines;
    const last = this.lines[shown];
    if (shown < 1 || !base || !last) return null;
    return overlayOf(this.row, base, last);
  }

  /** Starts with a first key; in another epoch if the cursor has moved without one. */
  private start(): void {
    const [former] = this.lines;
    const { row, col } = this.screen.cursor;
    if (former && row === this.row && col === former.col) return this.anchor(former.floor);
    this.epoch += 1;
    this.anchor();
  }

  /** Takes the screen as it is. */
  private anchor(floor?: number): void {
    const { row, col } = this.screen.cursor;
    this.row = row;
    this.lines = [{ cells: this.screen.cells(), col, floor: Math.min(floor ?? col, col), touched: new Map() }];
  }

  private append(pending: Pending): void {
    const before = this.isKnown ? this.lines.at(-1) : undefined;
    const line = before && after(before, pending.key, this.inserts);
    // To the left of the input may be a prompt, which stays where it is.
    if (line && before && line.floor < before.floor) this.epoch += 1;
    this.keys.push({ ...pending, epoch: this.epoch });
    if (line) this.lines.push(line);
    else this.epoch += 1;
  }

  /** Whether the effect of all keys is predicted. */
  private get isKnown(): boolean {
    return this.lines.length === this.keys.length + 1;
  }

  /** Finds the first predicted state, after at least `from` keys, that the screen is in. */
  private reached(from: number): number | null {
    const { row, col } = this.screen.cursor;
    if (row !== this.row) return null;
    const cells = this.screen.cells();
    const isReached = (line: Line, index: number) =>
      index >= from && line.col === col && [...line.touched].every(([place, char]) => cells[place]?.char === char);
    const found = this.lines.findIndex(isReached);
    return found === -1 ? null : found;
  }

  /** The screen shows the effect of the first `count` keys. */
  private confirm(count: number, now: number): void {
    const line = this.lines[count];
    if (!line) return;
    const shown = this.overlay !== null;
    const last = this.keys.splice(0, count).at(-1);
    if (last && isProof(last.key, line, this.lines[0])) {
      this.confirmed = last.epoch;
      this.pace.echoed(now - last.at, now, shown);
      const drawn = this.screen.cells();
      // A suggestion is no part of the line.
      const isMoved = (char: string, cell: Cell | undefined) => cell?.faint === true || cell?.char === char;
      this.inserts &&= line.cells.every(({ char }, col) => col < line.col || isMoved(char, drawn[col]));
    }
    this.anchor(line.floor);
    this.predict();
  }

  /** Predicts the remaining keys once more, as the rest of the row may have changed. */
  private predict(): void {
    for (const { key } of this.keys) {
      const last = this.lines.at(-1);
      const line = last && after(last, key, this.inserts);
      if (!line) return;
      this.lines.push(line);
    }
  }

  /** The screen differs from all predictions, or a key could not be predicted: starts from the screen, with the keys on their way. */
  private resync(judged: number): void {
    const rest = this.keys.slice(judged);
    this.reset();
    this.anchor();
    const [base] = this.lines;
    const [next] = rest;
    // The screen may show some of them already: of a repeated character it can't be said which one it shows.
    const isAmbiguous = next?.key.kind === 'char' && next.key.char === base?.cells[base.col - 1]?.char;
    for (const pending of rest) this.append(isAmbiguous ? { ...pending, key: UNKNOWN } : pending);
  }
}

/**
 * Whether the screen, changed as predicted, proves that the program echoes.
 * @param line the row with the key's effect
 * @param base the row as it was drawn before
 */
const isProof = (key: Key, line: Line, base: Line | undefined): boolean =>
  key.kind === 'char' && key.char !== ' ' && key.char !== MASK && base?.cells[line.col - 1]?.char !== key.char;

const disprovedAt = ({ acceptedAt }: Pending): number => (acceptedAt === null ? Infinity : acceptedAt + PATIENCE_MS);

function overlayOf(row: number, base: Line, last: Line): Overlay | null {
  const cells = last.cells.flatMap(({ char, width }, col) => {
    const changed = char !== base.cells[col]?.char;
    // The real cursor is covered, too.
    const covered = col === base.col && last.col !== base.col;
    return width > 0 && (changed || covered) ? [{ col, char, width, underlined: changed && char !== ' ' }] : [];
  });
  const under = last.cells[last.col];
  const cursor = last.col === base.col || !under ? null : { col: last.col, char: under.char, width: under.width };
  return cells.length === 0 && !cursor ? null : { row, cells, cursor };
}
