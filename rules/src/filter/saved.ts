import { z } from 'zod';
import { deviceText } from '../facts.ts';
import { FILTER_LIMITS, type ParsedFilter, type ReferringFilter } from './filter.ts';
import { parseFilter, parseReferring } from './parse.ts';
import { isSavedKey } from './saved.key.ts';

/** Bounds of saved filters: of one person or account, and of the columns that one keeps. */
export const SAVED_FILTER_LIMITS = { perOwner: 100, name: 64, columns: 32, column: 330 } as const;

/** What people call a saved filter. */
export const savedFilterName = deviceText(SAVED_FILTER_LIMITS.name).trim().min(1, 'expected a name');

/** By which filters name a saved filter of an account, as `in:` and the key; it never changes. */
export const savedFilterKey = z
  .string()
  .refine(
    isSavedKey,
    'expected at most 48 letters and digits in lower case, with dashes between, such as hot-in-the-north',
  );

/**
 * Makes the schema of a filter, whose issues name the wrong part and its place.
 * @param options its text and length, and what says why a filter of the grammar can't be used
 */
export const filterBy = (
  parse: typeof parseReferring,
  options: { text?: z.ZodString; most?: number; unfit?: (filter: ReferringFilter) => string | undefined } = {},
) => {
  const { text = z.string(), most = FILTER_LIMITS.text, unfit } = options;
  return text.max(most, `expected at most ${most} characters`).superRefine((value, context) => {
    const parsed = parse(value);
    const wrong = parsed.ok ? unfit?.(parsed.filter) : undefined;
    if (wrong !== undefined) context.addIssue({ code: 'custom', message: wrong });
    for (const message of grammarIssues(parsed)) context.addIssue({ code: 'custom', message });
  });
};

/** What is wrong with a text of the grammar, each with its place. */
export const grammarIssues = (parsed: ParsedFilter<unknown>): string[] =>
  parsed.ok ? [] : parsed.errors.map(({ message, from }) => `${message} (at character ${from + 1})`);

/** A filter by the grammar that names no saved filter. */
export const filterText = filterBy(parseFilter);

/** A filter by the grammar that may name saved filters of its account. */
export const referringFilterText = filterBy(parseReferring);

/** Columns of the list: their ids, or `label:` and the key of a label. */
export const savedColumns = z
  .array(deviceText(SAVED_FILTER_LIMITS.column).min(1, 'expected the id of a column'))
  .max(SAVED_FILTER_LIMITS.columns, `expected at most ${SAVED_FILTER_LIMITS.columns} columns`);
