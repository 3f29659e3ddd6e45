import { ConfigError } from '@warren/platform/config/load';
import type { Given } from '@warren/platform/config/production';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

const MIN_RSA_BITS = 2048;

/** One of the hub's own keys with its certificate, PEM. */
export interface HubKey {
  privateKey: string;
  publicCert: string;
}

/**
 * Reads a key and its certificate; undefined if they are not configured.
 * @throws ConfigError naming the variable of the unusable file
 */
export function readKeyPair(
  [keyName, certName]: readonly [string, string],
  key: string | undefined,
  certificate: string | undefined,
): HubKey | undefined {
  if (!key || !certificate) return undefined;
  const [privateKey, publicCert] = [readPem(keyName, key), readPem(certName, certificate)];
  const found = parsed(certName, certificate, () => new X509Certificate(publicCert));
  if (!found.checkPrivateKey(privateKeyOf(keyName, key, privateKey))) {
    throw new ConfigError(`${certName}: expected the certificate of the key in ${keyName} (came: another's)`);
  }
  return { privateKey, publicCert };
}

/**
 * Reads a private key.
 * @throws ConfigError naming the variable
 */
export function readKey(name: string, path: string): string {
  const pem = readPem(name, path);
  privateKeyOf(name, path, pem);
  return pem;
}

function privateKeyOf(name: string, path: string, pem: string): KeyObject {
  const key = parsed(name, path, () => createPrivateKey(pem));
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType === 'rsa' && bits >= MIN_RSA_BITS) return key;
  throw new ConfigError(
    `${name}: expected an RSA key of ${MIN_RSA_BITS} bits or more (came: ${key.asymmetricKeyType} ${bits})`,
  );
}

function readPem(name: string, path: string): string {
  return parsed(name, path, () => readFileSync(path, 'utf8'));
}

function parsed<T>(name: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ConfigError(`${name}: expected a readable PEM file (came: ${JSON.stringify(path)})`, { cause });
  }
}

/** Lists the problems of the hub's keys, a line for each. */
export function keyProblems(given: Given): string[] {
  const pair = (kind: string) => [`SAML_${kind}KEY_FILE`, `SAML_${kind}CERT_FILE`] as const;
  const read = (names: readonly [string, string]) => readKeyPair(names, given[names[0]], given[names[1]]);
  const old = given['SAML_DECRYPTION_OLD_KEY_FILE'];
  return [
    () => read(pair('')),
    () => read(pair('DECRYPTION_')),
    () => old && readKey('SAML_DECRYPTION_OLD_KEY_FILE', old),
  ].flatMap((attempt) => {
    try {
      attempt();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}
