import { Code, ConnectError } from '@connectrpc/connect';
import * as z from 'zod';

/**
 * Validates the hub's message.
 * @throws ConnectError `invalid_argument` that names each wrong value, and what was expected
 */
export function parseRequest<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConnectError(z.prettifyError(parsed.error).replace(/\s+/g, ' '), Code.InvalidArgument);
}
