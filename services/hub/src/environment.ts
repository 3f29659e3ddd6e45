import { ConfigError } from '@warren/platform/config/load';

/**
 * The environment of one service of several in a process: `TENANCY_DATABASE_URL` is the `DATABASE_URL` of tenancy alone, and what begins with
 * no service's name is for all of them.
 */
export function environmentOf(service: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const prefix = `${service.toUpperCase()}_`;
  const own = Object.entries(environment).filter(([name]) => name.startsWith(prefix));
  return { ...environment, ...Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value])) };
}

/**
 * Parses `SERVICES`: `all`, or a comma-separated list of names.
 * @param names all services, in their start order
 * @throws Error for an unknown name
 */
export function chosenServices<T extends string>(names: readonly T[], asked = 'all'): T[] {
  if (asked.trim() === 'all') return [...names];
  const wanted = asked.split(',').map((name) => name.trim());
  const wrong = wanted.find((name) => !names.some((one) => one === name));
  if (wrong !== undefined)
    throw new ConfigError(`SERVICES: expected all, or some of ${names.join(', ')} with commas (came: "${wrong}")`);
  return names.filter((name) => wanted.includes(name));
}
