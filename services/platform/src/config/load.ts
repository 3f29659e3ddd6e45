import { z } from 'zod';
import '../errors/problem.texts.ts';
import { productionProblems, type Given } from './production.ts';

/** The environment is invalid. `message` has one line per problem: name, value, what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Exit code for an invalid configuration: EX_CONFIG of sysexits(3). A restart changes nothing. */
export const EXIT_CONFIG = 78;

const SECRET = /SECRET|PASSWORD|TOKEN|KEY|URL|ENDPOINT/;
const ADDRESS_OF_OURS = /^(HUB|ADVERTISED)_URL$/;

/**
 * Parses a process's configuration from its environment, once, at the start. In production (`NODE_ENV`, also when it is not
 * set) what is only fit for development is refused as well.
 * @param schema one field for each variable, named as the variable
 * @param env the environment; empty values count as not given
 * @param more further checks of the process: a line per problem
 * @throws ConfigError naming every wrong variable; values of secret-looking ones are not repeated
 */
export function loadConfig<S extends z.ZodType>(
  schema: S,
  env: NodeJS.ProcessEnv,
  more: (given: Given) => string[] = () => [],
): z.output<S> {
  const problems = problemsOf(schema, env, more);
  if (problems.length > 0) throw new ConfigError(`The configuration is not usable.\n${problems.join('\n')}`);
  return schema.parse(givenOf(env));
}

const givenOf = (env: NodeJS.ProcessEnv): Given =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

/** Finds the problems of an environment: a line each, each variable once. */
export function problemsOf(
  schema: z.ZodType,
  env: NodeJS.ProcessEnv,
  more: (given: Given) => string[] = () => [],
): string[] {
  const given = givenOf(env);
  const issues = schema.safeParse(given).error?.issues ?? [];
  const wrong = new Set(issues.map(({ path }) => String(path[0])));
  const further = [...refusedInProduction(schema, given), ...more(given)];
  return [
    ...issues.map((issue) => lineOf(issue, given)),
    ...further.filter((line) => !wrong.has(line.split(':', 1)[0] ?? '')),
  ];
}

function lineOf({ path, message }: z.core.$ZodIssue, given: Given): string {
  const name = path.join('.');
  const value = given[String(path[0])];
  const came =
    value === undefined ? 'not set' : isSecret(name, value) ? 'a value not shown here' : JSON.stringify(value);
  return `${name}: ${message} (came: ${came})`;
}

/** Shows public addresses, unless they contain a password. */
function isSecret(name: string, value: string): boolean {
  return SECRET.test(name) && (!ADDRESS_OF_OURS.test(name) || value.includes('@'));
}

/** Skips scripts that read a few variables and no NODE_ENV: their users are responsible for them. */
function refusedInProduction(schema: z.ZodType, given: Given): string[] {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const production = names.includes('NODE_ENV') && (given['NODE_ENV'] ?? 'production') === 'production';
  return production ? productionProblems(given, names) : [];
}
