import { containing } from '@warren/platform/database/page';
import type { FieldName, Operator } from '@warren/rules/filter/fields';
import type { FieldTerm, Filter } from '@warren/rules/filter/filter';
import { ASCII_FIELDS, asciiLower } from '@warren/rules/filter/match';
import { NEVER } from '@warren/rules/filter/values';
import { choicesOf, isReported, OF_DEVICES, OF_NARROW, SEARCHED, type Columns } from './columns.ts';
import { isOfKind, isSearching } from './kind.terms.ts';
import { mergeAlternatives, type Factor } from './label.sets.ts';
import type { DecidableFilter } from './decidable.filter.ts';

/** The ids of the kinds of devices that a part of a filter holds for. */
export type KindsOf = (part: Filter) => readonly number[];

/** A filter as a condition over `narrow_devices n` and `devices d`, or one of them. */
export interface FilterSql {
  sql: string;
  usesNarrow: boolean;
  usesDevices: boolean;
  /** Whether it compares what devices report all the time. */
  usesFacts: boolean;
}

/** What a condition may read beside `devices d`. */
export const NARROW = 'JOIN narrow_devices n ON n.id = d.id';

/**
 * Compiles a filter. An unknown value meets no comparison, and each negated one: null counts as false, which below a negation has to be
 * written out. With a search it reads `devices`, which the index of the search leads to, else narrow rows, of which it may read all.
 * @param values the parameters before; those of the filter are appended
 * @param ofFew whether it is for few devices: their labels are looked up one by one, instead of read for all devices
 */
export function filterSql(filter: DecidableFilter, values: unknown[], kindsOf: KindsOf, ofFew = false): FilterSql {
  const compiler = new Compiler(isSearching(filter), values, kindsOf, ofFew);
  const sql = compiler.whole(filter) + compiler.ofKnownKinds();
  const { usesNarrow, usesDevices, usesFacts } = compiler;
  return { sql, usesNarrow, usesDevices, usesFacts };
}

/** Holds for every kind. */
const EVERY: Filter = { kind: 'and', terms: [] };

const TURNED: Partial<Record<Operator, Operator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

class Compiler {
  usesNarrow: boolean;
  readonly usesDevices: boolean;
  usesFacts = false;
  private readonly columns: Columns;
  private readonly values: unknown[];
  private readonly kindsOf: KindsOf;
  /** Labels are looked up for each device. */
  private looksUp: boolean;
  /** Negations around the present term. */
  private negations = 0;
  private negatesKinds = false;

  constructor(searching: boolean, values: unknown[], kindsOf: KindsOf, ofFew: boolean) {
    this.usesDevices = searching;
    this.usesNarrow = !searching;
    this.columns = searching ? OF_DEVICES : OF_NARROW;
    this.values = values;
    this.kindsOf = kindsOf;
    this.looksUp = ofFew;
  }

  /** A filter that has to hold, in which the planner turns each label into a join. */
  whole(filter: DecidableFilter): string {
    const terms = filter.kind === 'and' ? filter.terms : [filter];
    const isLabel = ({ kind }: DecidableFilter) => kind === 'label' || kind === 'labelled';
    const joins = (term: DecidableFilter) => isLabel(term) || (term.kind === 'not' && isLabel(term.term));
    const others = terms.filter((term) => !joins(term));
    const [only] = others;
    const compiled = only ? [others.length === 1 ? this.condition(only) : this.every(others)] : [];
    this.looksUp = true;
    compiled.push(...terms.filter(joins).map((term) => this.condition(term)));
    return compiled.length > 0 ? compiled.join(' AND ') : 'true';
  }

  /** Below a negation, a kind that appears after they were read would hold for what it was not compared with. */
  ofKnownKinds(): string {
    return this.negatesKinds ? ` AND (n.kind = ANY(${this.parameter(this.kindsOf(EVERY))}::integer[]))` : '';
  }

  private condition(filter: Factor): string {
    if (isOfKind(filter)) return this.ofKind(filter as Filter);
    switch (filter.kind) {
      case 'and':
        return this.every(filter.terms);
      case 'or':
        return this.some(filter.terms);
      case 'not':
        return this.below(() => `NOT ${this.condition(filter.term)}`);
      case 'word':
        return `(d.search_text LIKE ${this.parameter(containing(filter.text.toLowerCase()))})`;
      case 'labelled':
        return this.labelled(filter.key);
      case 'label':
        return negated(filter.operator, this.label(filter));
      case 'label_set':
        return this.labelled(filter.key, `AND l.value = ANY(${this.parameter(filter.texts.map(withoutNul))}::text[])`);
      case 'in_accounts':
        return `(${this.columns.account} = ANY(${this.parameter(filter.ids)}::uuid[]))`;
      case 'field':
        return this.field(filter);
    }
  }

  private every(terms: readonly Factor[]): string {
    if (terms.length === 0) return 'true';
    const kinds = terms.filter(isOfKind) as Filter[];
    const others = terms.filter((term) => !isOfKind(term)).map((term) => this.condition(term));
    const compiled = kinds.length > 0 ? [this.ofKind({ kind: 'and', terms: kinds }), ...others] : others;
    return `(${compiled.join(' AND ')})`;
  }

  private some(terms: readonly DecidableFilter[]): string {
    const alternatives = mergeAlternatives(terms);
    const areKinds = (factors: readonly Factor[]) => factors.length > 0 && factors.every(isOfKind);
    const kinds = alternatives.filter(areKinds).map((factors): Filter => ({ kind: 'and', terms: factors as Filter[] }));
    const compiled = alternatives.filter((factors) => !areKinds(factors)).map((factors) => this.every(factors));
    if (kinds.length > 0) compiled.unshift(this.ofKind({ kind: 'or', terms: kinds }));
    if (compiled.length === 0) return 'true';
    return compiled.length === 1 ? compiled.join('') : `(${compiled.join(' OR ')})`;
  }

  /** Decided for each kind, of which there are few, instead of each device. By their ids the planner knows how many devices it finds. */
  private ofKind(part: Filter): string {
    this.usesNarrow = true;
    this.negatesKinds ||= this.negations > 0;
    return `(n.kind = ANY(${this.parameter(this.kindsOf(part))}::integer[]))`;
  }

  private below(compile: () => string): string {
    this.negations++;
    const sql = compile();
    this.negations--;
    return sql;
  }

  private label({ key, operator, text }: { key: string; operator: Operator; text: string }): string {
    if (operator.endsWith('~'))
      return this.labelled(key, `AND lower(l.value) LIKE ${this.parameter(containing(asciiLower(text)))}`);
    return this.labelled(key, `AND l.value = ${this.parameter(withoutNul(text))}`);
  }

  /** For many devices it is not correlated, so the labels are read once, wherever in a condition it stands. */
  private labelled(key: string, more = ''): string {
    const ofKey = `l.key = ${this.parameter(key)} ${more}`;
    return this.looksUp
      ? `(EXISTS (SELECT FROM device_labels l WHERE l.device_id = ${this.columns.id} AND ${ofKey}))`
      : `(${this.columns.id} IN (SELECT l.device_id FROM device_labels l WHERE ${ofKey}))`;
  }

  private field(term: FieldTerm): string {
    const { field, operator, text, value } = term;
    if (field === 'throttled') return this.throttled(term);
    const choice = choicesOf(this.columns)[field];
    if (choice) return (value === choice.yes) !== (operator === '!=') ? `(${choice.sql})` : `(NOT ${choice.sql})`;
    if (field === 'created') return this.moment(this.columns.created, term);
    if (field === 'last_seen') return this.lastSeen(term);
    const compared = this.text(field, operator, text);
    return compared ? negated(operator, compared) : this.number(term);
  }

  /** @returns undefined for a field that is not a text */
  private text(field: FieldName, operator: Operator, text: string): string | undefined {
    if (field === 'name' && !this.usesDevices) return this.called(operator, text);
    const searched = SEARCHED[field];
    if (searched) {
      const found = `d.search_text LIKE ${this.parameter(containing(text.toLowerCase()))}`;
      return `${found} AND (${this.compared(field, searched, operator, text)})`;
    }
    const { id, account } = this.columns;
    if (field === 'id') return this.compared(field, [`${id}::text`], operator, text);
    if (field === 'account')
      return `${account} IN (SELECT a.id FROM accounts a WHERE ${this.compared(field, ['a.name', 'a.id::text'], operator, text)})`;
    return undefined;
  }

  /** The name that people see is there in lower case. */
  private called(operator: Operator, text: string): string {
    const plain = text.toLowerCase();
    return operator.endsWith('~')
      ? `n.called LIKE ${this.parameter(containing(plain))}`
      : `n.called = ${this.parameter(withoutNul(plain))}`;
  }

  private compared(field: FieldName, columns: readonly string[], operator: Operator, text: string): string {
    const isAscii = ASCII_FIELDS.has(field);
    const plain = isAscii ? asciiLower(text) : text.toLowerCase();
    const contains = operator.endsWith('~');
    const value = this.parameter(contains ? containing(plain) : withoutNul(plain));
    const collation = isAscii ? ' COLLATE "C"' : '';
    return columns.map((column) => `lower(${column}${collation}) ${contains ? 'LIKE' : '='} ${value}`).join(' OR ');
  }

  private throttled({ field, operator, value }: FieldTerm): string {
    this.reads(field);
    const isNow = `n.throttled = ${String(value === 'yes')}`;
    return negated(operator, operator === '=' ? this.known(isNow) : `COALESCE(${isNow}, false)`);
  }

  private number({ field, operator, value }: FieldTerm): string {
    const sql = this.columns.numbers[field] ?? 'NULL::float8';
    this.reads(field);
    const parameter = `${this.parameter(value)}::float8`;
    if (operator === '!=') return `((${sql}) IS DISTINCT FROM ${parameter})`;
    return `(${this.known(`(${sql}) ${operator} ${parameter}`)})`;
  }

  private reads(field: FieldName): void {
    if (!isReported(field)) return;
    this.usesFacts = true;
    this.usesNarrow = true;
  }

  /** Null is as good as false in a WHERE, where the planner sees through the bare comparison; not below a negation. */
  private known(comparison: string): string {
    return this.negations === 0 ? comparison : `COALESCE(${comparison}, false)`;
  }

  /** What is connected is seen now. As a CASE no index would serve it. */
  private lastSeen(term: FieldTerm): string {
    const { connected, everConnected, since } = this.columns;
    if (term.value === NEVER) return negated(term.operator, `NOT ${everConnected}`);
    const before = this.moment(since, term);
    return holdsNow(term) ? `(${connected} OR NOT ${connected} AND ${before})` : `(NOT ${connected} AND ${before})`;
  }

  /** An age grows to the past: younger than two hours is later than two hours ago. */
  private moment(sql: string, { operator, value }: FieldTerm): string {
    if (typeof value !== 'object') return 'false';
    if ('at' in value) return `(${sql} ${operator} ${this.parameter(new Date(value.at))}::timestamptz)`;
    const age = `make_interval(secs => ${this.parameter(value.age)}::float8)`;
    return `(${sql} ${TURNED[operator] ?? operator} now() - ${age})`;
  }

  private parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Tells whether a term of a time holds for the present moment. */
function holdsNow({ operator, value }: FieldTerm): boolean {
  if (typeof value !== 'object') return false;
  const [age, isOlder] =
    'at' in value ? [Date.now() - value.at, operator.startsWith('<')] : [value.age * 1_000, operator.startsWith('>')];
  if (age === 0) return operator.endsWith('=');
  return age > 0 !== isOlder;
}

function negated(operator: Operator, sql: string): string {
  return operator.startsWith('!') ? `(NOT (${sql}))` : `(${sql})`;
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
