import { SortOrder, type PageRequest } from '@warren/proto/common/v1/common';
import { invalidInput } from '../errors/fault.ts';

/** The requested page of a list query. */
export interface Page {
  /** Rows, 1 to 200. */
  limit: number;
  /** Rows before the page. */
  offset: number;
  /** LIKE pattern over lower-cased text; undefined for no search. */
  pattern: string | undefined;
  descending: boolean;
}

const MAX_LIMIT = 200;
const MIN_SEARCH = 2;
const MAX_SEARCH = 200;
const MAX_PAGE = 10_000_000;

/**
 * Reads a page request: `page` from 1, `limit` capped at 200, `search` ignored below 2 characters (decisions, 'Lists').
 * @param defaultLimit the limit when none is given
 * @throws Fault `invalid_argument` for a page or a search that is too large
 */
export function pageOf(request: PageRequest | undefined, defaultLimit = 50): Page {
  const page = request?.page || 1;
  if (page > MAX_PAGE) throw invalidInput({ field: 'page', message: `${page} came, at most ${MAX_PAGE} is possible.` });
  const limit = Math.min(request?.limit || defaultLimit, MAX_LIMIT);
  return {
    limit,
    offset: (page - 1) * limit,
    pattern: patternOf(request?.search ?? ''),
    descending: request?.order === SortOrder.DESC,
  };
}

function patternOf(text: string): string | undefined {
  const search = text.trim().toLowerCase();
  if ([...search].length < MIN_SEARCH) return undefined;
  if (search.length > MAX_SEARCH) {
    const message = `${search.length} characters came, at most ${MAX_SEARCH} are possible.`;
    throw invalidInput({ field: 'search', message });
  }
  return containing(search);
}

/** Makes the LIKE pattern of what contains a text, over lower-cased text. PostgreSQL stores no NUL, so none is looked for. */
export function containing(text: string): string {
  return `%${text
    .toLowerCase()
    .replaceAll('\0', '')
    .replace(/[\\%_]/g, '\\$&')}%`;
}
