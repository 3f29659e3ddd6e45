import type { Redactions } from '../redact/redactions.ts';

/** Output at a time. */
export interface Piece {
  atMs: number;
  text: string;
}

const MASK = '*';
/** Characters of a line that are held back until it ends. What an expression matches across such a boundary is not masked. */
const MOST_HELD = 65_536;
/** Escape sequences (ECMA-48) and control characters but tabs and line feeds: they are no text. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|[ -/]*[0-Z\\`-~])|[\x00-\x08\x0b-\x1f\x7f]/g;

/**
 * Masks what an account redacts in output that comes in pieces, line by line: a password that is typed comes one character at a time. Pieces
 * keep their times and lengths.
 */
export class MaskedOutput {
  private held: Piece[] = [];
  private length = 0;

  constructor(private readonly redactions: Redactions) {}

  /** @returns the pieces that are ready */
  push(piece: Piece): Piece[] {
    if (this.redactions.isEmpty) return [piece];
    this.held.push(piece);
    this.length += piece.text.length;
    return piece.text.includes('\n') || this.length > MOST_HELD ? this.flush() : [];
  }

  /** Gives what is held back, the end of the recording. */
  flush(): Piece[] {
    const { held } = this;
    this.held = [];
    this.length = 0;
    const whole = held.map(({ text }) => text).join('');
    const { seen, places } = seenIn(whole);
    const marks = this.redactions.marks(seen);
    if (!marks.includes(1)) return held;
    const masked = maskedAt(whole, marks, places);
    let at = 0;
    return held.map(({ atMs, text }) => ({ atMs, text: masked.slice(at, (at += text.length)) }));
  }
}

/** The text that one sees of output, and where each of its characters is there. */
function seenIn(whole: string): { seen: string; places: number[] } {
  const places: number[] = [];
  let [seen, last] = ['', 0];
  const take = (to: number) => {
    for (let at = last; at < to; at++) places.push(at);
    seen += whole.slice(last, to);
  };
  for (const { index, 0: sequence } of whole.matchAll(UNSEEN)) {
    take(index);
    last = index + sequence.length;
  }
  take(whole.length);
  return { seen, places };
}

function maskedAt(whole: string, marks: Uint8Array, places: readonly number[]): string {
  const units = whole.split('');
  for (const [at, place] of places.entries()) if (marks[at] === 1 && units[place] !== '\n') units[place] = MASK;
  return units.join('');
}
