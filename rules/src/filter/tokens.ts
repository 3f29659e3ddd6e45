import { OPERATORS, type Operator } from './fields.ts';

export interface Token {
  kind: 'word' | 'text' | 'operator' | 'open' | 'close' | 'minus' | 'unfinished';
  /** The word, the text without its quotes, or the operator. */
  text: string;
  from: number;
  to: number;
}

const LONGEST_FIRST: readonly Operator[] = [...OPERATORS].sort((a, b) => b.length - a.length);
const ENDS_WORD = /[\s()"=~<>]|![=~]/y;
const ENDS_VALUE = /[\s()"]/y;

/** Splits the text of a filter. Never fails: a quote without its end becomes `unfinished`. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at++;
      continue;
    }
    const token = tokenAt(text, at, tokens.at(-1)?.kind === 'operator');
    tokens.push(token);
    at = token.to;
  }
  return tokens;
}

function tokenAt(text: string, from: number, isValue: boolean): Token {
  const character = text.charAt(from);
  if (character === '(') return { kind: 'open', text: '(', from, to: from + 1 };
  if (character === ')') return { kind: 'close', text: ')', from, to: from + 1 };
  if (character === '"') return quoted(text, from);
  if (isValue) return word(text, from, ENDS_VALUE);
  const operator = LONGEST_FIRST.find((one) => text.startsWith(one, from));
  if (operator) return { kind: 'operator', text: operator, from, to: from + operator.length };
  if (character === '-' && /[^\s)]/.test(text.charAt(from + 1)))
    return { kind: 'minus', text: '-', from, to: from + 1 };
  return word(text, from, ENDS_WORD);
}

function word(text: string, from: number, ends: RegExp): Token {
  let to = from + 1;
  for (; to < text.length; to++) {
    ends.lastIndex = to;
    if (ends.test(text)) break;
  }
  return { kind: 'word', text: text.slice(from, to), from, to };
}

/** In quotes, a backslash stands before a quote or another backslash. */
function quoted(text: string, from: number): Token {
  let value = '';
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return { kind: 'text', text: value, from, to: at + 1 };
    const escapes = character === '\\' && /["\\]/.test(text.charAt(at + 1));
    value += escapes ? text.charAt(++at) : character;
  }
  return { kind: 'unfinished', text: value, from, to: text.length };
}
