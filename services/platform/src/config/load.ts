import { z } from 'zod';
import '../errors/problem.texts.ts';
import { productionProblems, type Given } from './production.ts';

/** The environment can't be used. `message` has one line a problem: name, what came, what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Exit code of a process whose configuration can't be used: EX_CONFIG of sysexits(3). Starting it again changes nothing. */
export const EXIT_CONFIG = 78;

const SECRET = /SECRET|PASSWORD|TOKEN|KEY|URL/;

/**
 * Parses a process's configuration from its environment, once, at the start. In production (`NODE_ENV`, also when it is not
 * set) what is only fit for development is refused as well.
 * @param schema one field for each variable, named as the variable
 * @param env the environment; empty values count as not given
 * @param more what the process itself has to say about the variables: a line for each problem
 * @throws ConfigError naming every wrong variable; values of secret-looking ones are not repeated
 */
export function loadConfig<S extends z.ZodType>(
  schema: S,
  env: NodeJS.ProcessEnv,
  more: (given: Given) => string[] = () => [],
): z.output<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  const lines = parsed.success ? [] : parsed.error.issues.map((issue) => lineOf(issue, given));
  const wrong = new Set(parsed.error?.issues.map(({ path }) => String(path[0])));
  const further = [...refusedInProduction(schema, given), ...more(given)];
  lines.push(...further.filter((line) => !wrong.has(line.split(':', 1)[0] ?? '')));
  if (parsed.success && lines.length === 0) return parsed.data;
  throw new ConfigError(`The configuration is not usable.\n${lines.join('\n')}`);
}

function lineOf({ path, message }: z.core.$ZodIssue, given: Given): string {
  const name = path.join('.');
  const value = given[String(path[0])];
  const came = value === undefined ? 'not set' : SECRET.test(name) ? 'a value not shown here' : JSON.stringify(value);
  return `${name}: ${message} (came: ${came})`;
}

/** Scripts that read a variable or two, and no NODE_ENV, are whoever runs them's own responsibility. */
function refusedInProduction(schema: z.ZodType, given: Given): string[] {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const production = names.includes('NODE_ENV') && (given['NODE_ENV'] ?? 'production') === 'production';
  return production ? productionProblems(given, names) : [];
}
