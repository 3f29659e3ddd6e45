import { fieldOf, type FieldName, type FilterField } from './fields.ts';
import type { FilterValue } from './filter.ts';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, y: 31_536_000 } as const;
const BYTES = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
} as const;
/** A thousand years. */
const MAX_SECONDS = 1_000 * SECONDS.y;
const NUMBER = /^-?\d{1,15}(\.\d{1,6})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;

/** Of the time that something was seen. */
export const NEVER = 'never';

type Read = { value: FilterValue } | { expected: string };

/** Reads the value of a field. @returns what was expected instead, if it is wrong */
export function readValue(name: FieldName, text: string): Read {
  return readAs(fieldOf(name), text);
}

/** Reads a value as the values of a field are read. @returns as {@link readValue} */
export function readAs(field: Pick<FilterField, 'kind' | 'values' | 'min' | 'max'>, text: string): Read {
  switch (field.kind) {
    case 'text':
    case 'version':
      return { value: text };
    case 'choice':
      return readChoice(field, text.toLowerCase());
    case 'number':
      return readNumber(field, text);
    case 'bytes':
      return valueOr(amount(text.toLowerCase(), BYTES, 'b'), 'a size such as 512MB or 4GiB');
    case 'duration':
      return valueOr(amount(text, SECONDS), 'a time such as 90m, 2h or 7d');
    case 'time':
      return readTime(text);
    case 'seen':
      return text.toLowerCase() === NEVER ? { value: NEVER } : readTime(text);
  }
}

function readChoice({ values = [] }: Pick<FilterField, 'values'>, text: string): Read {
  return values.includes(text) ? { value: text } : { expected: values.join(' or ') };
}

function readNumber({ min = -Infinity, max = Infinity }: Pick<FilterField, 'min' | 'max'>, text: string): Read {
  const number = NUMBER.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? { value: number } : { expected: `a number from ${min} to ${max}` };
}

function valueOr(value: number | undefined, expected: string): Read {
  return value === undefined ? { expected } : { value };
}

function readTime(text: string): Read {
  const at = DATE.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return { value: { at } };
  const age = amount(text, SECONDS);
  return age === undefined ? { expected: 'an age such as 2h or 7d, or a date such as 2026-11-24' } : { value: { age } };
}

/** A number and its unit; `usual` is the unit of a bare number, which is wrong if there is none. */
function amount(text: string, units: Record<string, number>, usual?: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)([a-z]*)$/.exec(text) ?? [];
  const size = Object.hasOwn(units, unit || (usual ?? '')) ? units[unit || (usual ?? '')] : undefined;
  if (number === '' || size === undefined) return undefined;
  const total = Math.round(Number(number) * size);
  return total <= (usual === undefined ? MAX_SECONDS : Number.MAX_SAFE_INTEGER) ? total : undefined;
}
