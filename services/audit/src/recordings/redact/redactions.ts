import { invalidInput } from '@warren/platform/errors/fault';
import { RE2JS } from 're2js';

const MASK = '*';
/** Expressions of an account are compiled at each export or search: a few milliseconds. */
const MOST_MATCHES = 10_000;

/** Where an expression matches: the offset of the first character, and after the last. */
export type Match = readonly [from: number, to: number];

/** Finds what an account redacts, in time linear to the text (RE2). */
export class Redactions {
  private readonly expressions: readonly RE2JS[];

  /** Expressions that no longer compile are left out: {@link requireExpression} refused them before. */
  constructor(expressions: readonly string[]) {
    this.expressions = expressions.flatMap((one) => compiled(one) ?? []);
  }

  get isEmpty(): boolean {
    return this.expressions.length === 0;
  }

  /** Finds all matches in a text, in no order. */
  matches(text: string): Match[] {
    const found: Match[] = [];
    for (const expression of this.expressions) {
      const matcher = expression.matcher(text);
      while (found.length < MOST_MATCHES && matcher.find())
        if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
    }
    return found;
  }

  /** Replaces each matched character, so that a line keeps its length. */
  mask(text: string): string {
    const found = this.isEmpty ? [] : this.matches(text);
    if (found.length === 0) return text;
    const units = text.split('');
    for (const [from, to] of found) units.fill(MASK, from, to);
    return units.join('');
  }
}

/** @throws Fault `invalid_argument` for an expression that RE2 does not take */
export function requireExpression(expression: string): void {
  if (compiled(expression)) return;
  const message = 'expected a regular expression of RE2, which has no look-ahead and no back-references';
  throw invalidInput({ field: 'redactions', message });
}

function compiled(expression: string): RE2JS | undefined {
  try {
    return RE2JS.compile(expression);
  } catch {
    return undefined;
  }
}
