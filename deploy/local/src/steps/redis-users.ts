import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptSecrets } from '../secrets.ts';
import type { Source } from './programs.ts';
import { places, root as ownRoot, services, type Settings } from '../settings.ts';

/** Who may do what in Redis, as in production: made from the table of the services of a checkout. */
const table = (root: string) => join(root, 'helm/warren/files/redis-users.conf');

const users = [...services, 'doctor'];
const kept = (user: string) => `redis-${user}`;

/**
 * The password of each user of Redis, by its name. None for an external Redis, which has its own users, and for one in a
 * container, whose user could not read the file. Version 0.1.0 had no users.
 */
export async function redisPasswords(
  { home }: Settings,
  source: Source | undefined,
  root = ownRoot,
): Promise<Record<string, string>> {
  if (source !== 'program' || !existsSync(table(root))) return {};
  const secrets = await keptSecrets(places(home).secrets, users.map(kept));
  return Object.fromEntries(users.map((user) => [user, secrets[kept(user)] ?? '']));
}

/** Writes the users of a checkout with their passwords as a file of redis-server's configuration. */
export async function writeRedisUsers(file: string, root: string, passwords: Record<string, string>): Promise<void> {
  const text = existsSync(table(root)) ? await readFile(table(root), 'utf8') : '';
  const filled = text.replace(
    /\$\{REDIS_PASSWORD_(\w+)\}/g,
    (_all, user: string) => passwords[user.toLowerCase()] ?? '',
  );
  await writeFile(file, filled, { mode: 0o600 });
}

/** The credentials of a user of Redis: none where it has no password. */
export function redisCredentials(passwords: Record<string, string>, user: string): NodeJS.ProcessEnv {
  const password = passwords[user];
  return password ? { REDIS_USER: user, REDIS_PASSWORD: password } : {};
}
