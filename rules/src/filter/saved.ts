import { z } from 'zod';
import { deviceText } from '../facts.ts';
import { FILTER_LIMITS } from './filter.ts';
import { parseFilter } from './parse.ts';

/** Bounds of saved filters: of one person or account, and of the columns that one keeps. */
export const SAVED_FILTER_LIMITS = { perOwner: 100, name: 64, columns: 32, column: 330 } as const;

/** What people call a saved filter. */
export const savedFilterName = deviceText(SAVED_FILTER_LIMITS.name).trim().min(1, 'expected a name');

/** A filter by the grammar; its issues name the wrong part and its place. */
export const filterText = z
  .string()
  .max(FILTER_LIMITS.text, `expected at most ${FILTER_LIMITS.text} characters`)
  .superRefine((text, context) => {
    const parsed = parseFilter(text);
    if (parsed.ok) return;
    for (const { message, from } of parsed.errors)
      context.addIssue({ code: 'custom', message: `${message} (at character ${from + 1})` });
  });

/** Columns of the list: their ids, or `label:` and the key of a label. */
export const savedColumns = z
  .array(deviceText(SAVED_FILTER_LIMITS.column).min(1, 'expected the id of a column'))
  .max(SAVED_FILTER_LIMITS.columns, `expected at most ${SAVED_FILTER_LIMITS.columns} columns`);
