import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { keyProblems } from './key.files.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-keys-'));
  const make = (keySize: 1024 | 2048) =>
    generate([{ name: 'commonName', value: 'hub' }], { keySize, algorithm: 'sha256' });
  const [own, other, weak] = await Promise.all([make(2048), make(2048), make(1024)]);
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const files = {
    key: own.private,
    cert: own.cert,
    'other-cert': other.cert,
    'weak-key': weak.private,
    'weak-cert': weak.cert,
    'curve-key': curve.export({ type: 'pkcs8', format: 'pem' }).toString(),
    text: 'no PEM',
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(at(name), text)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const signing = (key: string, certificate: string) =>
  keyProblems({ SAML_KEY_FILE: at(key), SAML_CERT_FILE: at(certificate) });

describe("the hub's keys", () => {
  it('are valid if not configured, or if key and certificate belong together', () => {
    expect(keyProblems({})).toEqual([]);
    expect(signing('key', 'cert')).toEqual([]);
  });

  it.each([
    [
      "another's certificate",
      'key',
      'other-cert',
      /^SAML_CERT_FILE: expected the certificate of the key in SAML_KEY_FILE/,
    ],
    [
      'a short key',
      'weak-key',
      'weak-cert',
      /^SAML_KEY_FILE: expected an RSA key of 2048 bits or more \(came: rsa 1024\)/,
    ],
    ['a key of another kind', 'curve-key', 'cert', /^SAML_KEY_FILE: expected an RSA key .*\(came: ec 0\)/],
    [
      'a file that is not there',
      'nothing',
      'cert',
      /^SAML_KEY_FILE: expected a readable PEM file \(came: ".*nothing"\)/,
    ],
    ['a file of something else', 'key', 'text', /^SAML_CERT_FILE: expected a readable PEM file/],
  ])('are refused with %s, in one line that names the variable', (_what, key, certificate, line) => {
    expect(signing(key, certificate)).toEqual([expect.stringMatching(line)]);
  });

  it('have all problems reported at once', () => {
    const problems = keyProblems({
      SAML_KEY_FILE: at('nothing'),
      SAML_CERT_FILE: at('cert'),
      SAML_DECRYPTION_KEY_FILE: at('key'),
      SAML_DECRYPTION_CERT_FILE: at('other-cert'),
      SAML_DECRYPTION_OLD_KEY_FILE: at('weak-key'),
    });
    const names = ['SAML_KEY_FILE', 'SAML_DECRYPTION_CERT_FILE', 'SAML_DECRYPTION_OLD_KEY_FILE'];
    expect(problems.map((line) => line.split(':', 1)[0])).toEqual(names);
  });
});
