import type { z } from 'zod';

/** The environment did not fit the schema. `message` has one line a problem: name, what came, what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const SECRET = /SECRET|PASSWORD|TOKEN|KEY|URL/;

/**
 * Parses a process's configuration from its environment, once, at the start.
 * @param schema one field for each variable, named as the variable
 * @param env the environment; empty values count as not given
 * @throws ConfigError naming every wrong variable; values of secret-looking ones are not repeated
 */
export function loadConfig<S extends z.ZodType>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.');
    const value = given[String(issue.path[0])];
    const came = value === undefined ? 'not set' : SECRET.test(name) ? 'a value not shown here' : JSON.stringify(value);
    return `${name}: ${issue.message} (came: ${came})`;
  });
  throw new ConfigError(`The configuration is not usable.\n${lines.join('\n')}`);
}
