import type { FieldName, Operator } from './fields.ts';

/** A filter as a tree over some kinds of terms. An `and` without terms holds for every device. */
export type FilterOf<Term> =
  | Term
  | { kind: 'and' | 'or'; terms: FilterOf<Term>[] }
  | { kind: 'not'; term: FilterOf<Term> };

/** What a filter says of one device. */
export type FilterTerm =
  /** Text that its name, serial or an address contains. */
  | { kind: 'word'; text: string }
  /** It has a label of that key. */
  | { kind: 'labelled'; key: string }
  | { kind: 'label'; key: string; operator: Operator; text: string }
  | FieldTerm;

/** A saved filter of the device's account holds, by its key. */
export interface SavedTerm {
  kind: 'saved';
  key: string;
}

/** A filter that can be decided: it names no saved filter. */
export type Filter = FilterOf<FilterTerm>;

/** A filter that may name saved filters, which have to be expanded before it can be decided. */
export type ReferringFilter = FilterOf<FilterTerm | SavedTerm>;

export interface FieldTerm {
  kind: 'field';
  field: FieldName;
  operator: Operator;
  /** The value as it was written. */
  text: string;
  value: FilterValue;
}

/**
 * The value of a field: text as it was written, `never`, a number in the unit of its field (percent, bytes, seconds, °C), or a moment as an age
 * in seconds or in milliseconds since 1970.
 */
export type FilterValue = string | number | { age: number } | { at: number };

/** What is wrong with a filter, and where: `from` and `to` are offsets in its text. */
export interface FilterError {
  message: string;
  from: number;
  to: number;
}

export type ParsedFilter<F = Filter> = { ok: true; filter: F } | { ok: false; errors: FilterError[] };

export const FILTER_LIMITS = {
  /** Characters. */
  text: 1_000,
  terms: 32,
  /** Parentheses and negations inside each other. */
  depth: 8,
} as const;
