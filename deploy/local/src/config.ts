import type { z } from 'zod';

/**
 * Reads a process's configuration from its environment.
 * @throws Error with a line for each wrong value: its name, the problem and the value
 */
export function parseEnvironment<T extends z.ZodType>(schema: T, environment: NodeJS.ProcessEnv): z.output<T> {
  const parsed = schema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.') || 'environment';
    const came = environment[name] === undefined ? 'nothing' : `'${environment[name]}'`;
    return `${name}: ${issue.message}, ${came} came`;
  });
  throw new Error(lines.join('\n'));
}
