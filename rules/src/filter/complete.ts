import { fieldOf, FILTER_FIELDS, isField, type FieldName } from './fields.ts';
import { keyText, valueText } from './format.ts';
import { tokensOf, type Token } from './tokens.ts';

/** What a completion knows of the devices. */
export interface KnownValues {
  /** Values of each key of labels. */
  labels: Readonly<Record<string, readonly string[]>>;
  /** Values of fields of text. */
  fields?: Partial<Record<FieldName, readonly string[]>>;
  /** Saved filters of the account, where one can be named. */
  saved?: readonly { key: string; name: string }[];
}

/** Replaces the text from `from` to `to`. */
export interface Completion {
  text: string;
  from: number;
  to: number;
  hint: string;
}

const MOST = 12;
/** Saved filters before something is typed: fields and labels need room too. */
const MOST_SAVED = 3;
const KEYWORDS: readonly [text: string, hint: string][] = [
  ['or', 'Either side'],
  ['not', 'Not the next term'],
];

/** Proposes how the text of a filter may continue at `caret`. */
export function completeFilter(text: string, caret: number, known: KnownValues): Completion[] {
  const { name, typed, isFirst } = placeAt(text, caret);
  if (name) return typed ? values(name, typed, known) : [];
  if (typed && !BEFORE_NAME.has(typed.kind)) return [];
  return names(typed?.kind === 'word' ? typed : undefined, caret, { known, isFirst });
}

/** Proposes names, and keywords between terms, where the text at `caret` may have them. */
export function completeNames(text: string, caret: number, all: readonly Named[]): Completion[] {
  const { name, typed, isFirst } = placeAt(text, caret);
  if (name || (typed && !BEFORE_NAME.has(typed.kind))) return [];
  const word = typed?.kind === 'word' ? typed : undefined;
  return completions(named([...all, ...(isFirst ? [] : KEYWORDS)], word?.text ?? ''), word, caret);
}

interface Place {
  /** What is compared here with a value; undefined where a term begins. */
  name: Token | undefined;
  /** What the caret stands at the end of. */
  typed: Token | undefined;
  isFirst: boolean;
}

function placeAt(text: string, caret: number): Place {
  const tokens = tokensOf(text.slice(0, caret));
  const last = tokens.at(-1);
  const typed = last?.to === caret ? last : undefined;
  const before = typed && typed.kind !== 'operator' ? tokens.slice(0, -1) : tokens;
  const name = before.at(-1)?.kind === 'operator' ? (before.at(-2) ?? before.at(-1)) : undefined;
  return { name, typed, isFirst: tokens.length < 2 };
}

const BEFORE_NAME: ReadonlySet<Token['kind']> = new Set(['word', 'open', 'minus']);

/** @param typed the operator, or what is typed after it */
function values(name: Token, typed: Token, known: KnownValues): Completion[] {
  const part = typed.kind === 'operator' ? '' : typed.text;
  const from = typed.kind === 'operator' ? typed.to : typed.from;
  return valuesOf(name.text, known)
    .filter((value) => value.toLowerCase().includes(part.toLowerCase()) && value !== part)
    .slice(0, MOST)
    .map((value) => ({ text: valueText(value), from, to: typed.to, hint: name.text }));
}

function valuesOf(name: string, known: KnownValues): readonly string[] {
  if (isField(name)) return fieldOf(name).values ?? known.fields?.[name] ?? [];
  const key = name.replace(/^label\./, '');
  return Object.hasOwn(known.labels, key) ? (known.labels[key] ?? []) : [];
}

function names(
  word: Token | undefined,
  caret: number,
  { known, isFirst }: { known: KnownValues; isFirst: boolean },
): Completion[] {
  const typed = word?.text ?? '';
  const fields = Object.entries(FILTER_FIELDS).map(([name, { about }]) => [name, about] as const);
  const labels = Object.keys(known.labels).map((key) => [keyText(key), 'Label'] as const);
  return completions(
    [...saved(typed, known), ...named([...fields, ...labels, ...(isFirst ? [] : KEYWORDS)], typed)],
    word,
    caret,
  );
}

function completions(all: readonly Named[], word: Token | undefined, caret: number): Completion[] {
  return all.slice(0, MOST).map(([text, hint]) => ({ text, from: word?.from ?? caret, to: caret, hint }));
}

type Named = readonly [text: string, hint: string];

function named(all: readonly Named[], typed: string): Named[] {
  return all.filter(([name]) => name.toLowerCase().startsWith(typed.toLowerCase()) && name !== typed);
}

/** Saved filters by their key, and by a part of their name. */
function saved(typed: string, known: KnownValues): Named[] {
  const part = typed.toLowerCase();
  const all = (known.saved ?? []).map(({ key, name }) => [`in:${key}`, name] as const);
  if (part === '') return all.slice(0, MOST_SAVED);
  return all.filter(([text, name]) => text !== typed && (text.startsWith(part) || name.toLowerCase().includes(part)));
}
