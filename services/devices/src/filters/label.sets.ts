import type { DecidableFilter } from './decidable.filter.ts';

/** A label of a key has one of these values. */
interface LabelSet {
  kind: 'label_set';
  key: string;
  texts: readonly string[];
}

/** A term of a filter, or several that were merged. */
export type Factor = DecidableFilter | LabelSet;
/** What has to hold together. */
type Conjunction = readonly Factor[];

/**
 * Merges the alternatives of an `or`: equal ones into one, and those that differ in the value of one label into one with a set of values,
 * since `a and site=x or a and site=y` is `a and site in (x, y)`. Each label is then read once instead of once for each alternative.
 * @returns the alternatives; one without factors holds for every device, and is then the only one
 */
export function mergeAlternatives(terms: readonly DecidableFilter[]): Conjunction[] {
  let all = distinct(terms.flatMap(alternativesOf).map(factorsOf));
  if (all.some((factors) => factors.length === 0)) return [[]];
  for (const key of keysOf(all)) all = mergeBy(key, all);
  return all;
}

function alternativesOf(term: DecidableFilter): DecidableFilter[] {
  return term.kind === 'or' ? term.terms.flatMap(alternativesOf) : [term];
}

function factorsOf(term: DecidableFilter): Factor[] {
  return term.kind === 'and' ? term.terms.flatMap(factorsOf) : [term];
}

const idOf = (factors: Conjunction): string => JSON.stringify(factors.map((factor) => JSON.stringify(factor)).sort());

function distinct(all: readonly Conjunction[]): Conjunction[] {
  return [...new Map(all.map((factors) => [idOf(factors), factors])).values()];
}

/** The values that a factor allows for a label; undefined if it is another one. */
function valuesOf(factor: Factor, key: string): readonly string[] | undefined {
  if (factor.kind === 'label_set') return factor.key === key ? factor.texts : undefined;
  return factor.kind === 'label' && factor.operator === '=' && factor.key === key ? [factor.text] : undefined;
}

/** The keys of compared labels, those with the most values first. */
function keysOf(all: readonly Conjunction[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const factor of all.flat())
    if (factor.kind === 'label' && factor.operator === '=')
      values.set(factor.key, (values.get(factor.key) ?? new Set()).add(factor.text));
  return [...values].sort(([, one], [, other]) => other.size - one.size).map(([key]) => key);
}

function mergeBy(key: string, all: readonly Conjunction[]): Conjunction[] {
  const others: Conjunction[] = [];
  const groups = new Map<string, { rest: Conjunction; texts: Set<string> }>();
  for (const factors of all) {
    const ofKey = factors.flatMap((factor) => valuesOf(factor, key) ?? []);
    const rest = factors.filter((factor) => valuesOf(factor, key) === undefined);
    // Two of one key have to hold both.
    if (rest.length !== factors.length - 1) {
      others.push(factors);
      continue;
    }
    const group = groups.get(idOf(rest)) ?? { rest, texts: new Set() };
    for (const text of ofKey) group.texts.add(text);
    groups.set(idOf(rest), group);
  }
  const merged = [...groups.values()].map(({ rest, texts }): Conjunction => {
    return [{ kind: 'label_set', key, texts: [...texts].sort() }, ...rest];
  });
  return [...merged, ...others];
}
