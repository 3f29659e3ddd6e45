import type { z } from 'zod';

/**
 * Reads variables by a schema; empty values count as missing.
 * @throws Error with each missing or wrong variable, without its value
 */
export function readEnvironment<S extends z.ZodType>(schema: S, environment: NodeJS.ProcessEnv): z.output<S> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The configuration is not usable.\n${lines.join('\n')}`);
}
