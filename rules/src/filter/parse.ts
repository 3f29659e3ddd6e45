import { isLabelKey } from '../labels.ts';
import { fieldOf, isField, OPERATORS_OF, type FieldName, type Operator } from './fields.ts';
import type { FilterTerm, ParsedFilter, ReferringFilter, SavedTerm } from './filter.ts';
import { parseTerms, requireOperator, WrongTerm, type TermReader } from './grammar.ts';
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
  return parseTerms(text, PLAIN);
}

/** Parses the text of a filter that may name saved filters of the account: `in:north`. */
export function parseReferring(text: string): ParsedFilter<ReferringFilter> {
  return parseTerms(text, REFERRING);
}

const PLAIN: TermReader<FilterTerm> = {
  called: 'A filter',
  alone: (token) => {
    if (isSaved(token)) throw new WrongTerm('A view can’t be used here: write out its filter.', token);
    return wordOf(token);
  },
  compared,
};
const REFERRING: TermReader<FilterTerm | SavedTerm> = {
  ...PLAIN,
  alone: (token) => (isSaved(token) ? savedOf(token) : wordOf(token)),
};

const isSaved = ({ kind, text }: Token) => kind === 'word' && text.startsWith(SAVED);

function savedOf(token: Token): SavedTerm {
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
  requireOperator(OPERATORS_OF.label, `The label ${key}`, operator, name);
  return { kind: 'label', key: requireKey(key, name), operator, text: value.text };
}

function fieldTerm(field: FieldName, operator: Operator, { name, value }: { name: Token; value: Token }): FilterTerm {
  requireOperator(OPERATORS_OF[fieldOf(field).kind], field, operator, name);
  const read = readValue(field, value.text);
  if ('expected' in read) throw new WrongTerm(`${field}: expected ${read.expected}, not “${value.text}”.`, value);
  if (fieldOf(field).kind === 'seen') requireSeen(field, operator, { name, isNever: read.value === NEVER });
  return { kind: 'field', field, operator, text: value.text, value: read.value };
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
