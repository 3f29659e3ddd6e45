import { isLabelKey } from '../labels.ts';
import { fieldOf, isField, OPERATORS_OF, type FieldName, type Operator } from './fields.ts';
import { EVERY_DEVICE, FILTER_LIMITS, type Filter, type ParsedFilter, type ReferringFilter } from './filter.ts';
import { isSavedKey } from './saved.key.ts';
import { tokensOf, type Token } from './tokens.ts';
import { NEVER, readValue } from './values.ts';

const HAS_LABEL = 'label:';
const ANY_LABEL = 'label.';
const SAVED = 'in:';

/**
 * Parses the text of a filter: terms side by side or joined by `and`, `or`, negated by `not` or `-`, grouped by parentheses. `or` binds
 * weakest. A bare word is searched for in names, serials and addresses. A saved filter can't be named.
 */
export function parseFilter(text: string): ParsedFilter {
  const parsed = parse(text, false);
  if (!parsed.ok) return parsed;
  const { filter } = parsed;
  // The parser has refused it already; the type says so from here on.
  if (!isPlain(filter)) throw new Error('A filter names a saved one.');
  return { ok: true, filter };
}

/** Parses the text of a filter that may name saved filters of the account: `in:north`. */
export function parseReferring(text: string): ParsedFilter<ReferringFilter> {
  return parse(text, true);
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

function parse(text: string, refers: boolean): ParsedFilter<ReferringFilter> {
  if (text.length > FILTER_LIMITS.text) {
    const message = `A filter has at most ${FILTER_LIMITS.text} characters; this one has ${text.length}.`;
    return { ok: false, errors: [{ message, from: FILTER_LIMITS.text, to: text.length }] };
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) return { ok: false, errors: [{ message: 'A filter has no NUL character.', from: nul, to: nul + 1 }] };
  try {
    return { ok: true, filter: new Parser(text, refers).parse() };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { ok: false, errors: [{ message: error.message, from: error.from, to: error.to }] };
  }
}

class Wrong extends Error {
  readonly from: number;
  readonly to: number;

  constructor(message: string, { from, to }: { from: number; to: number }) {
    super(message);
    this.from = from;
    this.to = to;
  }
}

class Parser {
  private readonly tokens: Token[];
  private readonly end: { from: number; to: number };
  private readonly refers: boolean;
  private next = 0;
  private terms = 0;
  private depth = 0;

  constructor(text: string, refers: boolean) {
    this.refers = refers;
    this.tokens = tokensOf(text);
    this.end = { from: text.length, to: text.length };
  }

  parse(): ReferringFilter {
    if (this.tokens.length === 0) return EVERY_DEVICE;
    const filter = this.either();
    const left = this.peek();
    if (left) throw new Wrong('No parenthesis is open here.', left);
    return filter;
  }

  private either(): ReferringFilter {
    const terms = [this.all()];
    while (this.takeKeyword('or')) terms.push(this.all());
    return joined('or', terms);
  }

  private all(): ReferringFilter {
    const terms = [this.one()];
    for (;;) {
      const explicit = this.takeKeyword('and');
      const token = this.peek();
      if (!explicit && (!token || token.kind === 'close' || isKeyword(token, 'or'))) return joined('and', terms);
      terms.push(this.one());
    }
  }

  private one(): ReferringFilter {
    const token = this.take();
    if (!token) throw new Wrong('Expected a term.', this.end);
    if (token.kind === 'minus' || isKeyword(token, 'not'))
      return { kind: 'not', term: this.nested(token, () => this.one()) };
    if (token.kind === 'open') return this.nested(token, () => this.group(token));
    if (token.kind === 'close' || isKeyword(token, 'and') || isKeyword(token, 'or'))
      throw new Wrong(`Expected a term before “${token.text}”.`, token);
    if (++this.terms > FILTER_LIMITS.terms)
      throw new Wrong(`A filter has at most ${FILTER_LIMITS.terms} terms.`, token);
    return this.term(token);
  }

  private nested(token: Token, parse: () => ReferringFilter): ReferringFilter {
    if (++this.depth > FILTER_LIMITS.depth)
      throw new Wrong(`Parentheses and negations nest at most ${FILTER_LIMITS.depth} deep.`, token);
    const filter = parse();
    this.depth--;
    return filter;
  }

  private group(open: Token): ReferringFilter {
    const filter = this.either();
    const close = this.take();
    if (close?.kind !== 'close') throw new Wrong('This parenthesis is not closed.', open);
    return filter;
  }

  private term(token: Token): ReferringFilter {
    requireFinished(token);
    if (token.kind === 'operator') throw new Wrong(`Expected a field or a label before “${token.text}”.`, token);
    const operator = this.peek();
    if (operator?.kind !== 'operator') return this.word(token);
    this.next++;
    const value = this.take();
    if (!value || (value.kind !== 'word' && value.kind !== 'text' && value.kind !== 'unfinished'))
      throw new Wrong(`Expected a value after “${token.text}${operator.text}”.`, value ?? operator);
    requireFinished(value);
    return compared(token, operator, value);
  }

  private word(token: Token): ReferringFilter {
    if (token.kind !== 'word' || !token.text.startsWith(SAVED)) return wordOf(token);
    if (!this.refers) throw new Wrong('A view can’t be used here: write out its filter.', token);
    const key = token.text.slice(SAVED.length).toLowerCase();
    if (!isSavedKey(key)) throw new Wrong(`Expected the key of a shared view after “${SAVED}”.`, token);
    return { kind: 'saved', key };
  }

  private peek(): Token | undefined {
    return this.tokens[this.next];
  }

  private take(): Token | undefined {
    return this.tokens[this.next++];
  }

  private takeKeyword(keyword: string): boolean {
    const token = this.peek();
    if (!token || !isKeyword(token, keyword)) return false;
    this.next++;
    return true;
  }
}

function isKeyword(token: Token, keyword: string): boolean {
  return token.kind === 'word' && token.text.toLowerCase() === keyword;
}

/** Flattens terms of the same kind, so that each filter has one tree. */
function joined(kind: 'and' | 'or', terms: ReferringFilter[]): ReferringFilter {
  const [only] = terms;
  if (only && terms.length === 1) return only;
  return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) };
}

function requireFinished(token: Token): void {
  if (token.kind === 'unfinished') throw new Wrong('This quote is not closed.', token);
}

function wordOf(token: Token): Filter {
  if (token.kind !== 'word' || !token.text.startsWith(HAS_LABEL)) return { kind: 'word', text: token.text };
  const key = token.text.slice(HAS_LABEL.length);
  return { kind: 'labelled', key: requireKey(key, token) };
}

function compared(name: Token, { text }: Token, value: Token): Filter {
  const operator = text as Operator;
  if (isField(name.text)) return fieldTerm(name.text, operator, { name, value });
  const key = name.text.startsWith(ANY_LABEL) ? name.text.slice(ANY_LABEL.length) : name.text;
  requireOperator('label', `The label ${key}`, operator, name);
  return { kind: 'label', key: requireKey(key, name), operator, text: value.text };
}

function fieldTerm(field: FieldName, operator: Operator, { name, value }: { name: Token; value: Token }): Filter {
  requireOperator(fieldOf(field).kind, field, operator, name);
  const read = readValue(field, value.text);
  if ('expected' in read) throw new Wrong(`${field}: expected ${read.expected}, not “${value.text}”.`, value);
  if (fieldOf(field).kind === 'seen') requireSeen(field, operator, { name, isNever: read.value === NEVER });
  return { kind: 'field', field, operator, text: value.text, value: read.value };
}

function requireOperator(kind: keyof typeof OPERATORS_OF, what: string, operator: Operator, at: Token): void {
  const known = OPERATORS_OF[kind];
  if (!known.includes(operator)) throw new Wrong(`${what} takes ${known.join(' ')}, not ${operator}.`, at);
}

/** Never is equal or not; times are before and after. */
function requireSeen(field: FieldName, operator: Operator, { name, isNever }: { name: Token; isNever: boolean }): void {
  if (isNever === (operator === '=' || operator === '!=')) return;
  throw new Wrong(`${field} takes = != with never, and < <= > >= with times, not ${operator}.`, name);
}

function requireKey(key: string, token: Token): string {
  if (isLabelKey(key)) return key;
  throw new Wrong(`“${key}” is neither a field nor the key of a label.`, token);
}
