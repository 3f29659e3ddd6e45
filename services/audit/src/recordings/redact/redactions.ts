import { invalidInput } from '@warren/platform/errors/fault';
import { RE2JS } from 're2js';

const MASK = '*';
/** Of a compiled expression: each character of a text may cost a step for each instruction. */
const MOST_INSTRUCTIONS = 1_500;
/** Finding all matches may take a time that is quadratic in the text. What is not read by then is masked. */
const MOST_MS = 2_000;

/** Finds what an account redacts (RE2). Expressions are compiled once for each export, search or recording. */
export class Redactions {
  private readonly expressions: readonly RE2JS[];

  /** Expressions that no longer compile are left out: {@link requireExpression} refused them before. */
  constructor(expressions: readonly string[]) {
    this.expressions = expressions.flatMap((one) => compiled(one) ?? []);
  }

  get isEmpty(): boolean {
    return this.expressions.length === 0;
  }

  /** When work that begins now has to end, as `performance.now()` counts. */
  deadline(): number {
    return performance.now() + MOST_MS;
  }

  /**
   * Finds the characters to mask.
   * @param until a deadline, after which all of the text is to be masked
   * @returns 1 for each of them, 0 for the others
   */
  marks(text: string, until = this.deadline()): Uint8Array {
    const marks = new Uint8Array(text.length);
    for (const expression of this.expressions) {
      const matcher = expression.matcher(text);
      while (performance.now() < until && matcher.find()) marks.fill(1, matcher.start(), matcher.end());
      if (performance.now() >= until) return marks.fill(1);
    }
    return marks;
  }

  /** Replaces each matched character, so that a line keeps its length. @param until as of {@link marks} */
  mask(text: string, until?: number): string {
    if (this.isEmpty) return text;
    const marks = this.marks(text, until);
    if (!marks.includes(1)) return text;
    return text
      .split('')
      .map((unit, at) => (marks[at] === 1 ? MASK : unit))
      .join('');
  }
}

/** @throws Fault `invalid_argument` for an expression that RE2 does not take, or that is too large */
export function requireExpression(expression: string): void {
  const size = compiled(expression)?.programSize();
  if (size !== undefined && size <= MOST_INSTRUCTIONS) return;
  const message =
    size === undefined
      ? 'expected a regular expression of RE2, which has no look-ahead and no back-references'
      : 'expected a smaller regular expression: it repeats too much';
  throw invalidInput({ field: 'redactions', message });
}

function compiled(expression: string): RE2JS | undefined {
  try {
    return RE2JS.compile(expression);
  } catch {
    return undefined;
  }
}
