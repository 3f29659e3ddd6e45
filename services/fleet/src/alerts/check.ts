import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import type { z } from 'zod';

/**
 * Parses an external value.
 * @param field its name, for the error; empty for the fields of a request
 * @throws Fault `invalid_argument` that names each problem
 */
export function check<S extends z.ZodType>(field: string, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues.map(({ path, message }) => {
    const came = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
    const name = [field, ...path.map(String)].filter((part) => part !== '').join('.');
    return { field: name, message, ...(came === undefined ? {} : { value: shownValue(came) }) };
  });
  throw invalidInput(first ?? { field, message: 'it does not fit.' }, ...others);
}
