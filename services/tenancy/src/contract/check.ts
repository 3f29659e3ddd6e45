import { Fault } from '@warren/platform/errors/fault';
import type { z } from 'zod';

/**
 * Reads one field of a request by its rule.
 * @throws Fault `invalid_argument` that names the field
 */
export function check<S extends z.ZodType>(field: string, rule: S, value: unknown): z.output<S> {
  const parsed = rule.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(field, parsed.error.issues[0]?.message ?? 'it does not fit.');
}

/** The Fault for a field that does not fit. */
export function invalid(field: string, message: string): Fault {
  return new Fault('invalid_argument', `Invalid input: ${field}: ${message}`, { problems: [{ field, message }] });
}
