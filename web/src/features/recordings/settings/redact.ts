import { RE2JS } from 're2js';

const MASK = '*';
const MOST_MATCHES = 1_000;

export interface Redacted {
  text: string;
  /** The first rule that is none: its index, and why. */
  problem: { index: number; why: string } | null;
}

/** Masks what rules match in a text, as the hub does. */
export function redact(rules: readonly string[], text: string): Redacted {
  const units = text.split('');
  for (const [index, rule] of rules.entries()) {
    try {
      const matcher = RE2JS.compile(rule).matcher(text);
      for (let count = 0; count < MOST_MATCHES && matcher.find(); count++)
        units.fill(MASK, matcher.start(), matcher.end());
    } catch (error) {
      return { text, problem: { index, why: error instanceof Error ? error.message : String(error) } };
    }
  }
  return { text: units.join(''), problem: null };
}
