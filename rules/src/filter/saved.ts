import { z } from 'zod';
import { deviceText } from '../facts.ts';
import { FILTER_LIMITS } from './filter.ts';
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

const textBy = (parse: typeof parseReferring) =>
  z
    .string()
    .max(FILTER_LIMITS.text, `expected at most ${FILTER_LIMITS.text} characters`)
    .superRefine((text, context) => {
      const parsed = parse(text);
      if (parsed.ok) return;
      for (const { message, from } of parsed.errors)
        context.addIssue({ code: 'custom', message: `${message} (at character ${from + 1})` });
    });

/** A filter by the grammar that names no saved filter; its issues name the wrong part and its place. */
export const filterText = textBy(parseFilter);

/** A filter by the grammar that may name saved filters of its account. */
export const referringFilterText = textBy(parseReferring);

/** Columns of the list: their ids, or `label:` and the key of a label. */
export const savedColumns = z
  .array(deviceText(SAVED_FILTER_LIMITS.column).min(1, 'expected the id of a column'))
  .max(SAVED_FILTER_LIMITS.columns, `expected at most ${SAVED_FILTER_LIMITS.columns} columns`);
