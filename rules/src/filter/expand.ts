import type { Filter, ReferringFilter } from './filter.ts';
import { formatFilter } from './format.ts';
import { parseFilter, parseReferring } from './parse.ts';

/** Without a filter, `message` says why, for people. */
export type ExpandedFilter = { ok: true; filter: Filter; text: string } | { ok: false; message: string };

/** The keys of the saved filters that a filter names, each once. */
export function savedKeysOf(filter: ReferringFilter): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [...new Set(filter.terms.flatMap(savedKeysOf))];
    case 'not':
      return savedKeysOf(filter.term);
    case 'saved':
      return [filter.key];
    default:
      return [];
  }
}

/** Whether a text names saved filters; one that can't be read names none. */
export function namesSaved(text: string): boolean {
  // Nearly all filters name none.
  if (!/in:/i.test(text)) return false;
  const parsed = parseReferring(text);
  return parsed.ok && savedKeysOf(parsed.filter).length > 0;
}

/**
 * Expands the saved filters that a filter names. One of them can't name others, so there are no cycles; and the whole keeps to the limits of
 * a filter.
 * @param textOf the text of a saved filter by its key; undefined for one that is not there
 */
export function expandFilter(filter: ReferringFilter, textOf: (key: string) => string | undefined): ExpandedFilter {
  try {
    const text = formatFilter(expanded(filter, textOf));
    const parsed = parseFilter(text);
    if (parsed.ok) return { ok: true, filter: parsed.filter, text };
    return {
      ok: false,
      message: `After its views are expanded: ${parsed.errors[0]?.message ?? 'The filter is not valid.'}`,
    };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { ok: false, message: error.message };
  }
}

class Unfit extends Error {}

function expanded(filter: ReferringFilter, textOf: (key: string) => string | undefined): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, terms: filter.terms.map((term) => expanded(term, textOf)) };
    case 'not':
      return { kind: 'not', term: expanded(filter.term, textOf) };
    case 'saved':
      return saved(filter.key, textOf(filter.key));
    default:
      return filter;
  }
}

/** A filter that finds every device is refused: emptying it would widen all that name it without a word. */
function saved(key: string, text: string | undefined): Filter {
  if (text === undefined) throw new Unfit(`The account has no shared view “${key}”.`);
  if (text.trim() === '') throw new Unfit(`The view “${key}” is empty, so no filter can use it.`);
  if (namesSaved(text)) throw new Unfit(`The view “${key}” uses other views, so no filter can use it.`);
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.filter;
  throw new Unfit(`The view “${key}” is not valid: ${parsed.errors[0]?.message ?? ''}`);
}
