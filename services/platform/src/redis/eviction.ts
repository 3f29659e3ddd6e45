import { ConfigError } from '../config/load.ts';

/** What is asked of Redis. */
interface Informed {
  info(section: string): Promise<string>;
}

/**
 * A Redis that evicts forgets sessions, used sign-ins and queued mail when its memory is full.
 * @returns the problem, naming the setting; undefined if it does not evict, or does not report its policy
 */
export async function evictionProblem(client: Informed): Promise<string | undefined> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await client.info('memory'))?.[1];
  if (policy === undefined || policy === 'noeviction') return undefined;
  return `REDIS_URL: expected a Redis with maxmemory-policy noeviction (came: ${policy})`;
}

/** @throws ConfigError when it evicts */
export async function refuseEviction(client: Informed): Promise<void> {
  const problem = await evictionProblem(client);
  if (problem) throw new ConfigError(`The configuration is not usable.\n${problem}`);
}
