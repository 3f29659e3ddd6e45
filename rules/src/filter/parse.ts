import { isLabelKey } from '../labels.ts';
import { fieldOf, isField, OPERATORS_OF, type FieldName, type Operator } from './fields.ts';
import type { Filter, FilterTerm, ParsedFilter, ReferringFilter, SavedTerm } from './filter.ts';
import { parseTerms, WrongTerm, type TermReader } from './grammar.ts';
import { isSavedKey } from './saved.key.ts';
import type { Token } from './tokens.ts';
import { NEVER, readValue } from './values.ts';

const HAS_LABEL = 'label:';
const ANY_LABEL = 'label.';
const SAVED = 'in:';

/**
 * Parses the text of a filter: terms side by side or joined by `and`, `or`, negated by `not` or `-`, grouped by parentheses. `or` binds
 * weakest. A bare word is searched for in names, serials and addresses. A saved filter can't be named.
 */
export function parseFilter(text: string): ParsedFilter {
  const parsed = parseTerms(text, PLAIN);
  if (!parsed.ok) return parsed;
  const { filter } = parsed;
  // The parser has refused it already; the type says so from here on.
  if (!isPlain(filter)) throw new Error('A filter names a saved one.');
  return { ok: true, filter };
}

/** Parses the text of a filter that may name saved filters of the account: `in:north`. */
export function parseReferring(text: string): ParsedFilter<ReferringFilter> {
  return parseTerms(text, REFERRING);
}

/** Whether a filter names no saved filter. */
function isPlain(filter: ReferringFilter): filter is Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.every(isPlain);
    case 'not':
      return isPlain(filter.term);
    default:
      return filter.kind !== 'saved';
  }
}

const PLAIN: TermReader<FilterTerm | SavedTerm> = {
  called: 'A filter',
  alone: (token) => alone(token, false),
  compared,
};
const REFERRING: TermReader<FilterTerm | SavedTerm> = { ...PLAIN, alone: (token) => alone(token, true) };

function alone(token: Token, refers: boolean): FilterTerm | SavedTerm {
  if (token.kind !== 'word' || !token.text.startsWith(SAVED)) return wordOf(token);
  if (!refers) throw new WrongTerm('A view can’t be used here: write out its filter.', token);
  const key = token.text.slice(SAVED.length).toLowerCase();
  if (!isSavedKey(key)) throw new WrongTerm(`Expected the key of a shared view after “${SAVED}”.`, token);
  return { kind: 'saved', key };
}

function wordOf(token: Token): FilterTerm {
  if (token.kind !== 'word' || !token.text.startsWith(HAS_LABEL)) return { kind: 'word', text: token.text };
  const key = token.text.slice(HAS_LABEL.length);
  return { kind: 'labelled', key: requireKey(key, token) };
}

function compared(name: Token, operator: Operator, value: Token): FilterTerm {
  if (isField(name.text)) return fieldTerm(name.text, operator, { name, value });
  const key = name.text.startsWith(ANY_LABEL) ? name.text.slice(ANY_LABEL.length) : name.text;
  requireOperator('label', `The label ${key}`, operator, name);
  return { kind: 'label', key: requireKey(key, name), operator, text: value.text };
}

function fieldTerm(field: FieldName, operator: Operator, { name, value }: { name: Token; value: Token }): FilterTerm {
  requireOperator(fieldOf(field).kind, field, operator, name);
  const read = readValue(field, value.text);
  if ('expected' in read) throw new WrongTerm(`${field}: expected ${read.expected}, not “${value.text}”.`, value);
  if (fieldOf(field).kind === 'seen') requireSeen(field, operator, { name, isNever: read.value === NEVER });
  return { kind: 'field', field, operator, text: value.text, value: read.value };
}

function requireOperator(kind: keyof typeof OPERATORS_OF, what: string, operator: Operator, at: Token): void {
  const known = OPERATORS_OF[kind];
  if (!known.includes(operator)) throw new WrongTerm(`${what} takes ${known.join(' ')}, not ${operator}.`, at);
}

/** Never is equal or not; times are before and after. */
function requireSeen(field: FieldName, operator: Operator, { name, isNever }: { name: Token; isNever: boolean }): void {
  if (isNever === (operator === '=' || operator === '!=')) return;
  throw new WrongTerm(`${field} takes = != with never, and < <= > >= with times, not ${operator}.`, name);
}

function requireKey(key: string, token: Token): string {
  if (isLabelKey(key)) return key;
  throw new WrongTerm(`“${key}” is neither a field nor the key of a label.`, token);
}
