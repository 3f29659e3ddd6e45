import { FILTER_LIMITS, type Filter, type ReferringFilter } from './filter.ts';
import { formatFilter } from './format.ts';
import { parseFilter, parseReferring } from './parse.ts';

/** Why saved filters can't be put in, for people, and the one at fault if it is one alone. */
interface NotExpanded {
  ok: false;
  message: string;
  key?: string;
}

export type ExpandedFilter = { ok: true; filter: Filter; text: string } | NotExpanded;

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
  const parsed = parseReferring(text);
  return parsed.ok && savedKeysOf(parsed.filter).length > 0;
}

/**
 * Puts saved filters in the place of their names. One of them can't name others, so there are no cycles; and the whole keeps to the limits of
 * a filter.
 * @param textOf the text of a saved filter by its key; undefined for one that is not there
 */
export function expandFilter(filter: ReferringFilter, textOf: (key: string) => string | undefined): ExpandedFilter {
  try {
    const text = formatFilter(putIn(filter, textOf));
    const parsed = parseFilter(text);
    if (parsed.ok) return { ok: true, filter: parsed.filter, text };
    return { ok: false, message: `With its saved filters put in: ${parsed.errors[0]?.message ?? 'it is wrong.'}` };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { ok: false, message: error.message, key: error.key };
  }
}

class Unfit extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.key = key;
  }
}

function putIn(filter: ReferringFilter, textOf: (key: string) => string | undefined): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, terms: filter.terms.map((term) => putIn(term, textOf)) };
    case 'not':
      return { kind: 'not', term: putIn(filter.term, textOf) };
    case 'saved':
      return saved(filter.key, textOf(filter.key));
    default:
      return filter;
  }
}

/** A filter that finds every device is refused: emptying it would widen all that name it without a word. */
function saved(key: string, text: string | undefined): Filter {
  if (text === undefined) throw new Unfit(key, `The account has no saved filter “${key}”.`);
  if (text.trim() === '') throw new Unfit(key, `The saved filter “${key}” is empty, so no other can name it.`);
  if (text.length > FILTER_LIMITS.text) throw new Unfit(key, `The saved filter “${key}” is too long.`);
  if (namesSaved(text)) throw new Unfit(key, `The saved filter “${key}” names others, so no other can name it.`);
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.filter;
  throw new Unfit(key, `The saved filter “${key}” is wrong: ${parsed.errors[0]?.message ?? ''}`);
}
