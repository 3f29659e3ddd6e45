import { generateKeyPairSync } from 'node:crypto';
import { SERVICE_NAMES, type ServiceName } from '../src/nats/calls.ts';

const pairs = new Map(SERVICE_NAMES.map((name) => [name, generateKeyPairSync('ed25519')]));
const base64 = (key: Buffer) => key.toString('base64');

/** `CALLER_KEY` of a service. */
export function callerKey(name: ServiceName): string {
  return base64(pairs.get(name)?.privateKey.export({ format: 'der', type: 'pkcs8' }) ?? Buffer.alloc(0));
}

/** `CALLER_KEYS` with a key of each service. */
export const CALLER_KEYS = [...pairs]
  .map(([name, { publicKey }]) => `${name}=${base64(publicKey.export({ format: 'der', type: 'spki' }))}`)
  .join(',');
