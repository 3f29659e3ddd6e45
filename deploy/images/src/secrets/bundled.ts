import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { BundledConfig } from './config.ts';

/** Values of a Secret by key, decoded. */
export type Values = Readonly<Record<string, string>>;

const DATABASES = ['identity', 'tenancy', 'devices', 'fleet', 'audit'];

/** 192 bits. Begins with a letter: nats-server reads a bare value that begins with a digit as a number. */
const password = () => `w${randomBytes(24).toString('hex')}`;

const privateKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** PKCS #8, as PEM or as base64 of DER. */
function keyOf(name: string, text: string): KeyObject {
  try {
    if (text.includes('-----BEGIN')) return createPrivateKey(text);
    return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    throw new Error(`${name}: expected a private key, PKCS #8 as PEM or base64 (came: a value not shown here)`);
  }
}

const publicHalf = (name: string, text: string) =>
  createPublicKey(keyOf(name, text)).export({ format: 'der', type: 'spki' }).toString('base64');

/**
 * The Secret of bundled servers. Keeps each value that is there, adds what is missing, and derives addresses from the passwords.
 * @param kept values of the Secret, or undefined if there is none
 * @throws Error if a kept key can't be read
 */
export function bundledValues(kept: Values | undefined, config: BundledConfig): Values {
  const values: Record<string, string> = { ...kept };
  const passwords = [
    ...['postgres-password', ...DATABASES.map((name) => `postgres-${name}`), 'redis-password', 'session-key'],
    'channel-key',
    ...config.users.flatMap((name) => [`nats-${name}`, `redis-${name}`]),
  ];
  for (const name of passwords) values[name] ||= password();
  for (const name of config.services) values[`caller-${name}`] ||= privateKey();
  values['audit-key'] ||= privateKey();
  values['caller-keys'] = callerKeys(values, config.services);
  values['admin-url'] = address('postgres', values['postgres-password'], config, 'postgres');
  for (const name of DATABASES)
    values[`${name}-url`] = address(`warren_${name}`, values[`postgres-${name}`], config, 'warren');
  return { ...values, ...leniency(kept, config.version) };
}

const address = (role: string, secret = '', { database: at }: BundledConfig, database: string) =>
  `postgres://${role}:${encodeURIComponent(secret)}@${at}/${database}`;

/** Public keys of all services. The list may hold two keys of one service, so an entry that is there stays. */
function callerKeys(values: Values, services: readonly string[]): string {
  const entries = (values['caller-keys'] ?? '').split(',').filter(Boolean);
  for (const name of services) {
    if (entries.some((entry) => entry.startsWith(`${name}=`))) continue;
    entries.push(`${name}=${publicHalf(`caller-${name}`, values[`caller-${name}`] ?? '')}`);
  }
  return entries.join(',');
}

/**
 * Whether services take unsigned calls and unsealed sessions. Version 0.1.0 makes none of either, so its pods need that while they are
 * replaced: for as long as the chart has the version that added the keys. The next version replaces all pods once more.
 */
function leniency(kept: Values | undefined, version: string): Values {
  if (kept?.['nats-gateway'] && !kept['caller-keys'])
    return { 'unsigned-calls': 'accept', 'unsigned-calls-version': version };
  if (kept?.['unsigned-calls'] === 'accept' && kept['unsigned-calls-version'] === version) return {};
  return { 'unsigned-calls': 'refuse' };
}
