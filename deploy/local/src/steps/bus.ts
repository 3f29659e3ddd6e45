import { join } from 'node:path';
import { keptSecrets } from '../secrets.ts';
import { places, type Settings } from '../settings.ts';

/** Builds the accounts of the message bus like in production, from the table of a checkout. */
export const busAccounts = (root: string) => join(root, 'helm/warren/files/nats-accounts.conf');

const users = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'tunnels', 'audit', 'doctor'];
const kept = (user: string) => `nats-${user}`;

/** Returns the passwords of the bus's users by name; none for an external bus, which has its own users. */
export async function busPasswords(settings: Settings): Promise<Record<string, string>> {
  if (settings.given.nats) return {};
  const secrets = await keptSecrets(places(settings.home).secrets, users.map(kept));
  return Object.fromEntries(users.map((user) => [user, secrets[kept(user)] ?? '']));
}

/** The passwords as the variables that the accounts name. */
export function busVariables(passwords: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(passwords).map(([user, password]) => [`NATS_PASSWORD_${user.toUpperCase()}`, password]),
  );
}

/** The credentials of a user of the bus: none where it has no password. */
export function busCredentials(passwords: Record<string, string>, user: string): NodeJS.ProcessEnv {
  const password = passwords[user];
  return password ? { NATS_USER: user, NATS_PASSWORD: password } : {};
}
