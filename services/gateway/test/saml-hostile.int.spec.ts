import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deflateRawSync } from 'node:zlib';
import { parseMetadata } from '../src/auth/saml/verifier/metadata.ts';
import { verifyResponse } from '../src/auth/saml/verifier/response.ts';
import { SignInRefused } from '../src/auth/refusal/sign-in.refused.ts';
import type { HubFacts, Trusted } from '../src/auth/saml/verifier/tasks.ts';
import { HUB } from './gateway.ts';
import { SamlGateway } from './saml.gateway.ts';
import { COSTLY, COSTLY_SIGNATURES, mutated, seeded, signature } from './saml.hostile.ts';
import { decode, encode, TestIdp } from './saml.idp.ts';

const ENTITY = 'https://idp.test/metadata';
/** Maximum main-thread time per request, the test's client included. */
const MOST_MS = 50;
const ATTEMPTS = 4;
const BYTES = 48 * 1024 - 1_500;

// What is promised is the time of the event loop; the worker's is the machine's to give.
let idp: TestIdp;
let saml: SamlGateway;

beforeAll(async () => {
  idp = await TestIdp.make(ENTITY, HUB);
  saml = await SamlGateway.start(HUB, { default: idp });
  // What is done once, for the first request, counts for none.
  await saml.acs(encode('<a/>'));
  await saml.post('/auth/saml/slo', new URLSearchParams({ SAMLRequest: encode('<a/>') }).toString());
  await saml.gateway.get('/auth/saml/slo?SAMLRequest=AAAA', undefined, {});
});
afterAll(() => saml?.stop());

const message = (kind: 'Response' | 'LogoutRequest', signed: string, inside: string) =>
  `<samlp:${kind} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r" InResponseTo="_q" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:Issuer>${ENTITY}</saml:Issuer>${signed}<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${inside}</samlp:${kind}>`;

const posts = {
  acs: (xml: string) => saml.acs(encode(xml)),
  slo: (xml: string) =>
    saml.post(
      '/auth/saml/slo',
      new URLSearchParams({ SAMLRequest: encode(xml.replaceAll('samlp:Response', 'samlp:LogoutRequest')) }).toString(),
    ),
  // As long as the head of a request may be.
  redirect: (xml: string) => {
    const deflated = deflateRawSync(xml.replaceAll('samlp:Response', 'samlp:LogoutRequest')).toString('base64');
    return saml.gateway.get(
      `/auth/saml/slo?SAMLRequest=${encodeURIComponent(deflated.slice(0, 12_000))}`,
      undefined,
      {},
    );
  },
};

/** Sends a message, and holds what it costs to the promise. */
async function expectRefused(send: (xml: string) => Promise<{ status: number }>, xml: string): Promise<void> {
  saml.refusals.length = saml.signIns.length = saml.ended.length = 0;
  // The cheapest of a few attempts: a garbage collection of the test's own heap may fall into one.
  let cost = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && cost >= MOST_MS; attempt++) {
    const before = process.threadCpuUsage();
    const { status } = await send(xml);
    const { user, system } = process.threadCpuUsage(before);
    expect(status).toBe(403);
    cost = Math.min(cost, (user + system) / 1_000);
  }
  expect(cost).toBeLessThan(MOST_MS);
  expect(saml.refusals.map(({ reason }) => reason).join()).not.toMatch(/can't be read/);
  expect([saml.signIns, saml.ended]).toEqual([[], []]);
}

describe('64 KiB of a stranger cost the event loop next to nothing, and neither sign in nor out:', () => {
  it.each(Object.keys(COSTLY))('%s', async (what) => {
    for (const send of Object.values(posts)) {
      for (const signed of ['', signature()]) {
        await expectRefused(send, message('Response', signed, COSTLY[what]?.(BYTES - signed.length) ?? ''));
      }
    }
  });

  it.each(Object.keys(COSTLY_SIGNATURES))('a signature %s', async (what) => {
    const signed = COSTLY_SIGNATURES[what]?.(BYTES) ?? '';
    for (const send of Object.values(posts)) await expectRefused(send, message('Response', signed, ''));
  });

  it('a signed element wrapped around another one', async () => {
    const valid = decode(await idp.answer({ inResponseTo: '_q' }));
    const [was = ''] = /<Signature[\s\S]*?<\/Signature>/.exec(valid) ?? [];
    for (const make of Object.values(COSTLY))
      await expectRefused(posts.acs, message('Response', was, make(BYTES - was.length)));
  });

  it('no XML, no base64, nothing', async () => {
    for (const text of ['', 'AAAA', '%', '\0'.repeat(1_000), '='.repeat(BYTES)])
      await expectRefused(posts.acs, text || ' ');
  });
});

describe('an answer with pieces of it changed', () => {
  const hub: HubFacts = {
    entityId: `${HUB}/auth/saml/metadata`,
    acsUrl: `${HUB}/auth/saml/acs`,
    sloUrl: `${HUB}/auth/saml/slo`,
    clockToleranceMs: 60_000,
    decryptionKeys: [],
  };

  it.each([
    ['its assertion', { signResponse: false }],
    ['all of it', { signAssertion: false }],
    ['both', {}],
  ])('is refused, or says what it said: signed is %s', async (_what, options) => {
    const { certificates } = parseMetadata(idp.metadata());
    const providers: Trusted[] = [{ id: 'default', entityId: ENTITY, certificates }];
    const valid = decode(await idp.answer({ inResponseTo: '_q', ...options }));
    const random = seeded(20_260_101);
    let refused = 0;
    for (let round = 0; round < 250; round++) {
      const xml = mutated(valid, random);
      try {
        const answer = await verifyResponse(encode(xml), hub, providers);
        expect(answer?.saml.email).toBe('ada@hub.test');
      } catch (error) {
        expect(error).toBeInstanceOf(SignInRefused);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});
