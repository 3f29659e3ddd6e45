import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { registry } from '@warren/platform/telemetry/metrics';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encrypt, type EncryptOptions } from 'xml-encryption';
import { HUB } from './gateway.ts';
import { SamlGateway } from './saml.gateway.ts';
import { decode, encode, TestIdp, type AnswerOptions } from './saml.idp.ts';
import { sealedByOpenssl, type Transport } from './saml.openssl.ts';

const seal = promisify(encrypt);
const GCM = 'http://www.w3.org/2009/xmlenc11#aes256-gcm';
const OAEP = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p';

let idp: TestIdp;
/** The hub's keys: the one in its metadata, the one before it, and one that it never had. */
let [current, old, foreign]: TestIdp['keys'][] = [];
let saml: SamlGateway;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-encrypted-'));
  idp = await TestIdp.make('https://idp.test/metadata', HUB);
  [current, old, foreign] = (await Promise.all(['a', 'b', 'c'].map((name) => TestIdp.make(name, HUB)))).map(
    ({ keys }) => keys,
  );
  const files = { key: current?.private, cert: current?.cert, old: old?.private };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text ?? '');
  const env = {
    SAML_DECRYPTION_KEY_FILE: join(folder, 'key'),
    SAML_DECRYPTION_CERT_FILE: join(folder, 'cert'),
    SAML_DECRYPTION_OLD_KEY_FILE: join(folder, 'old'),
  };
  saml = await SamlGateway.start(HUB, { default: idp }, env);
});
afterAll(async () => {
  await saml?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => void (saml.signIns.length = saml.refusals.length = 0));

it('measures when the certificate expires that providers encrypt for', async () => {
  const { values = [] } =
    (await registry.getSingleMetric('warren_gateway_saml_certificate_expiry_timestamp_seconds')?.get()) ?? {};
  const expiry = new X509Certificate(current?.cert ?? '').validToDate.getTime() / 1_000;
  expect(values.map(({ labels, value }) => ({ ...labels, value }))).toEqual([{ use: 'decryption', value: expiry }]);
});

const assertionOf = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';

/** An answer whose assertion is encrypted for a key. */
async function sealed(xml: string, keys = current, more: Partial<EncryptOptions> = {}): Promise<string> {
  const { cert = '' } = keys ?? {};
  const content = await seal(assertionOf(xml), {
    rsa_pub: createPublicKey(cert).export({ type: 'spki', format: 'pem' }).toString(),
    pem: cert,
    encryptionAlgorithm: GCM,
    keyEncryptionAlgorithm: OAEP,
    warnInsecureAlgorithm: false,
    disallowEncryptionWithInsecureAlgorithm: false,
    ...more,
  });
  return hidden(xml, content);
}

/** The answer with what is encrypted in the assertion's place. */
function hidden(xml: string, content: string): string {
  return xml.replace(
    assertionOf(xml),
    `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${content}</saml:EncryptedAssertion>`,
  );
}

/** An answer that OpenSSL has encrypted for the hub. */
async function wrapped(xml: string, transport: Transport): Promise<string> {
  return hidden(xml, await sealedByOpenssl(assertionOf(xml), current?.cert ?? '', transport));
}

/** Answers a new sign-in; the assertion alone is signed, as it can't be seen from outside. */
async function answered(wrap: (xml: string) => Promise<string>, options: Partial<AnswerOptions> = {}, by = idp) {
  const { id } = await saml.login();
  const xml = decode(await by.answer({ inResponseTo: id, signResponse: false, ...options }));
  return saml.acs(encode(await wrap(xml)));
}

describe('an encrypted assertion', () => {
  it.each<[string, Partial<EncryptOptions>]>([
    ['AES-256-GCM', {}],
    ['AES-128-GCM', { encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes128-gcm' }],
    ['AES-256-CBC', { encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc' }],
    ['AES-128-CBC', { encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes128-cbc' }],
  ])('signs the person in: %s', async (_what, more) => {
    expect((await answered((xml) => sealed(xml, current, more))).status).toBe(303);
    expect(saml.signIns[0]?.saml?.email).toBe('ada@hub.test');
  });

  it.each<[string, Transport]>([
    ["RSA-OAEP of XML Encryption 1.1, Keycloak's", { algorithm: 'rsa-oaep', digest: 'sha256', mask: 'sha256' }],
    ["the same with a mask of SHA-1, Shibboleth's", { algorithm: 'rsa-oaep', digest: 'sha256', mask: 'sha1' }],
    ['the same with SHA-512', { algorithm: 'rsa-oaep', digest: 'sha512', mask: 'sha512' }],
    ['RSA-OAEP-MGF1P with SHA-1', { algorithm: 'rsa-oaep-mgf1p', digest: 'sha1', mask: 'sha1' }],
    ['RSA-OAEP-MGF1P with SHA-256', { algorithm: 'rsa-oaep-mgf1p', digest: 'sha256', mask: 'sha1' }],
  ])('signs the person in: key by %s', async (_what, transport) => {
    expect((await answered((xml) => wrapped(xml, transport))).status).toBe(303);
    expect(saml.signIns[0]?.saml?.email).toBe('ada@hub.test');
  });

  it('signs the person in when it is for the key before the published one', async () => {
    expect((await answered((xml) => sealed(xml, old))).status).toBe(303);
  });

  it('is asked for in the metadata, with the certificate of the newer key', async () => {
    const { text } = await saml.gateway.get('/auth/saml/metadata');
    const [, published = ''] = /use="encryption"[\s\S]*?<ds:X509Certificate>([^<]+)</.exec(text) ?? [];
    expect(published.replaceAll(/\s/g, '')).toBe((current?.cert ?? '').replaceAll(/-----[^-]+-----|\s/g, ''));
  });
});

describe('an encrypted assertion is refused', () => {
  it.each<[string, () => Promise<{ status: number }>, RegExp]>([
    ['for a key that the hub never had', () => answered((xml) => sealed(xml, foreign)), /does not have/],
    ['not signed inside', () => answered((xml) => sealed(xml), { signAssertion: false }), /signature/i],
    ['signed by another key inside', async () => answered((xml) => sealed(xml), {}, await idp.forged()), /signature/i],
    [
      'signed with SHA-1 inside',
      () => answered((xml) => sealed(xml), { algorithm: 'rsa-sha1' }),
      /SignatureMethod|DigestMethod/,
    ],
    [
      'for another audience inside',
      () => answered((xml) => sealed(xml), { audience: 'https://other.test/' }),
      /audience/,
    ],
    ['that has expired inside', () => answered((xml) => sealed(xml), { seconds: -90 }), /expired|subject confirmation/],
    [
      'whose user was changed after signing',
      () => answered((xml) => sealed(xml.replaceAll('ada@', 'boss@'))),
      /signature/i,
    ],
    [
      'under Triple DES',
      () =>
        answered((xml) =>
          sealed(xml, current, { encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' }),
        ),
      /EncryptionMethod: .*tripledes/,
    ],
    [
      'under RSA with PKCS #1 v1.5',
      () =>
        answered((xml) => sealed(xml, current, { keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' })),
      /EncryptionMethod: .*rsa-1_5/,
    ],
    [
      'under RSA with PKCS #1 v1.5, in elements of a namespace that is none',
      () =>
        answered(async (xml) => {
          const old = await sealed(xml, current, {
            keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5',
          });
          return old.replace(
            /<e:EncryptionMethod Algorithm="[^"]*rsa-1_5"/,
            (method) => `${method} xmlns:e="urn:none"`,
          );
        }),
      /EncryptionMethod: .*rsa-1_5/,
    ],
    [
      'by a hash that is not supported',
      () => answered((xml) => wrapped(xml, { algorithm: 'rsa-oaep', digest: 'sha384', mask: 'sha384' })),
      /DigestMethod: .*sha384/,
    ],
    [
      'by a mask that is none',
      () =>
        answered(async (xml) =>
          (await wrapped(xml, { algorithm: 'rsa-oaep', digest: 'sha1', mask: 'sha1' })).replace('mgf1sha1', 'mgf1md5'),
        ),
      /MGF: .*mgf1md5/,
    ],
    [
      'beside one in the open',
      () =>
        answered(async (xml) =>
          (await sealed(xml)).replace('</samlp:Response>', `${assertionOf(xml)}</samlp:Response>`),
        ),
      /multiple assertions/,
    ],
    [
      'beside another',
      () =>
        answered(async (xml) => {
          const one = await sealed(xml);
          const [element = ''] = /<saml:EncryptedAssertion[\s\S]*<\/saml:EncryptedAssertion>/.exec(one) ?? [];
          return one.replace(element, element + element);
        }),
      /expected one, came several/,
    ],
  ])('%s', async (_what, answer, reason) => {
    expect((await answer()).status).toBe(403);
    expect(saml.signIns).toHaveLength(0);
    expect(saml.refusals.map((refusal) => refusal.reason).join()).toMatch(reason);
  });

  it('by a hub that has no key for it', async () => {
    const plain = await SamlGateway.start(HUB, { default: idp });
    try {
      const { id } = await plain.login();
      const xml = decode(await idp.answer({ inResponseTo: id, signResponse: false }));
      expect((await plain.acs(encode(await sealed(xml)))).status).toBe(403);
      expect(plain.refusals[0]?.reason).toContain('no SAML_DECRYPTION_KEY_FILE');
    } finally {
      await plain.stop();
    }
  });
});
