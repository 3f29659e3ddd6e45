import { invalidInput, shownValue, type Fault } from '@warren/platform/errors/fault';
import type { z } from 'zod';

/**
 * Parses one field of a request.
 * @throws Fault `invalid_argument` that names the field
 */
export function check<S extends z.ZodType>(field: string, rule: S, value: unknown): z.output<S> {
  const parsed = rule.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(field, parsed.error.issues[0]?.message ?? 'it does not fit.', value);
}

/** The Fault for an invalid field. */
export function invalid(field: string, message: string, value?: unknown): Fault {
  return invalidInput({ field, message, ...(value === undefined ? {} : { value: shownValue(value) }) });
}
