import { z } from 'zod';

/*
 * Types of variables. Each has one text with an example, which is the error for a wrong and for a missing value.
 */

/** A text of a form. */
export const textOf = (form: RegExp, expected: string) => z.string(expected).regex(form, expected);

/** A number with bounds; `what` says which, with an example. */
const bounded = (what: string, fits: (value: number) => boolean) => {
  const expected = `expected ${what}`;
  return z.coerce.number(expected).refine(fits, expected);
};

/** A whole number of `min` to `max`. */
export const wholeNumber = (min: number, max: number, example: number) =>
  bounded(
    `a whole number from ${min} to ${max}, such as ${example}`,
    (value) => Number.isInteger(value) && value >= min && value <= max,
  );

/** How long something lasts. */
export const wholeSeconds = (example: number) =>
  bounded(`a whole number of seconds, such as ${example}`, (value) => Number.isSafeInteger(value) && value >= 1);

/** A part of a whole, 0 to 1. */
export const fraction = (example: number) =>
  bounded(`a number from 0 to 1, such as ${example}`, (value) => value >= 0 && value <= 1);

/** One word of a few. */
export const oneOf = <const T extends readonly string[]>(...words: T) => z.enum(words, `expected ${among(words)}`);

const among = (words: readonly string[]) => [words.slice(0, -1).join(', '), words.at(-1)].join(' or ');

/** `Yes`/`true`/`1` or `No`/`false`/`0`. */
export const flagSchema = z.stringbool({ error: 'expected Yes or No' });

/** The origin of an address; paths and queries are refused. */
export const originLike = (example: string) =>
  z
    .url({ protocol: /^https?$/, error: `expected http://host or https://host, such as ${example}`, abort: true })
    .refine(
      (text) => new URL(text).pathname === '/' && !new URL(text).search,
      `expected an origin without a path, such as ${example}`,
    )
    .transform((text) => new URL(text).origin);
