import type { Operator } from './fields.ts';
import { FILTER_LIMITS, type FilterOf, type ParsedFilter } from './filter.ts';
import { tokensOf, type Token } from './tokens.ts';

/** The terms of a grammar, between keywords and parentheses. */
export interface TermReader<Term> {
  /** What a text of the grammar is called, at the start of a sentence: `A filter`. */
  called: string;
  /** Reads a word, or a text in quotes, by itself. @throws WrongTerm */
  alone(token: Token): Term;
  /** Reads a comparison. @throws WrongTerm */
  compared(name: Token, operator: Operator, value: Token): Term;
}

/** What is wrong with a term, and where. */
export class WrongTerm extends Error {
  readonly from: number;
  readonly to: number;

  constructor(message: string, { from, to }: { from: number; to: number }) {
    super(message);
    this.from = from;
    this.to = to;
  }
}

type Tree<Term> = FilterOf<Term>;

/** Parses terms side by side or joined by `and`, `or`, negated by `not` or `-`, grouped by parentheses. `or` binds weakest. */
export function parseTerms<Term extends { kind: string }>(
  text: string,
  reader: TermReader<Term>,
): ParsedFilter<Tree<Term>> {
  const { called } = reader;
  if (text.length > FILTER_LIMITS.text) {
    const message = `${called} has at most ${FILTER_LIMITS.text} characters; this one has ${text.length}.`;
    return { ok: false, errors: [{ message, from: FILTER_LIMITS.text, to: text.length }] };
  }
  const nul = text.indexOf('\0');
  if (nul !== -1)
    return { ok: false, errors: [{ message: `${called} has no NUL character.`, from: nul, to: nul + 1 }] };
  try {
    return { ok: true, filter: new Parser(text, reader).parse() };
  } catch (error) {
    if (!(error instanceof WrongTerm)) throw error;
    return { ok: false, errors: [{ message: error.message, from: error.from, to: error.to }] };
  }
}

class Parser<Term extends { kind: string }> {
  private readonly tokens: Token[];
  private readonly end: { from: number; to: number };
  private readonly reader: TermReader<Term>;
  private next = 0;
  private terms = 0;
  private depth = 0;

  constructor(text: string, reader: TermReader<Term>) {
    this.reader = reader;
    this.tokens = tokensOf(text);
    this.end = { from: text.length, to: text.length };
  }

  parse(): Tree<Term> {
    if (this.tokens.length === 0) return { kind: 'and', terms: [] };
    const tree = this.either();
    const left = this.peek();
    if (left) throw new WrongTerm('No parenthesis is open here.', left);
    return tree;
  }

  private either(): Tree<Term> {
    const terms = [this.all()];
    while (this.takeKeyword('or')) terms.push(this.all());
    return joined('or', terms);
  }

  private all(): Tree<Term> {
    const terms = [this.one()];
    for (;;) {
      const explicit = this.takeKeyword('and');
      const token = this.peek();
      if (!explicit && (!token || token.kind === 'close' || isKeyword(token, 'or'))) return joined('and', terms);
      terms.push(this.one());
    }
  }

  private one(): Tree<Term> {
    const token = this.take();
    if (!token) throw new WrongTerm('Expected a term.', this.end);
    if (token.kind === 'minus' || isKeyword(token, 'not'))
      return { kind: 'not', term: this.nested(token, () => this.one()) };
    if (token.kind === 'open') return this.nested(token, () => this.group(token));
    if (token.kind === 'close' || isKeyword(token, 'and') || isKeyword(token, 'or'))
      throw new WrongTerm(`Expected a term before “${token.text}”.`, token);
    if (++this.terms > FILTER_LIMITS.terms)
      throw new WrongTerm(`${this.reader.called} has at most ${FILTER_LIMITS.terms} terms.`, token);
    return this.term(token);
  }

  private nested(token: Token, parse: () => Tree<Term>): Tree<Term> {
    if (++this.depth > FILTER_LIMITS.depth)
      throw new WrongTerm(`Parentheses and negations nest at most ${FILTER_LIMITS.depth} deep.`, token);
    const tree = parse();
    this.depth--;
    return tree;
  }

  private group(open: Token): Tree<Term> {
    const tree = this.either();
    const close = this.take();
    if (close?.kind !== 'close') throw new WrongTerm('This parenthesis is not closed.', open);
    return tree;
  }

  private term(token: Token): Tree<Term> {
    requireFinished(token);
    if (token.kind === 'operator') throw new WrongTerm(`Expected a field or a label before “${token.text}”.`, token);
    const operator = this.peek();
    if (operator?.kind !== 'operator') return this.reader.alone(token);
    this.next++;
    const value = this.take();
    if (!value || (value.kind !== 'word' && value.kind !== 'text' && value.kind !== 'unfinished'))
      throw new WrongTerm(`Expected a value after “${token.text}${operator.text}”.`, value ?? operator);
    requireFinished(value);
    return this.reader.compared(token, operator.text as Operator, value);
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

/** Flattens terms of the same kind, so that each text has one tree. */
function joined<Term extends { kind: string }>(kind: 'and' | 'or', terms: Tree<Term>[]): Tree<Term> {
  const [only] = terms;
  if (only && terms.length === 1) return only;
  return { kind, terms: terms.flatMap((term) => (isJoined(term, kind) ? term.terms : [term])) };
}

function isJoined<Term extends { kind: string }>(
  term: Tree<Term>,
  kind: 'and' | 'or',
): term is { kind: 'and' | 'or'; terms: Tree<Term>[] } {
  return term.kind === kind;
}

function requireFinished(token: Token): void {
  if (token.kind === 'unfinished') throw new WrongTerm('This quote is not closed.', token);
}

/** @param what is compared, for the error @throws WrongTerm for an operator that is not among the known ones */
export function requireOperator(known: readonly Operator[], what: string, operator: Operator, at: Token): void {
  if (!known.includes(operator)) throw new WrongTerm(`${what} takes ${known.join(' ')}, not ${operator}.`, at);
}
