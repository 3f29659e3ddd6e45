import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deflateRawSync } from 'node:zlib';
import { HUB } from './gateway.ts';
import { SamlGateway } from './saml.gateway.ts';
import { encode, sentMessage, TestIdp } from './saml.idp.ts';

/** What the tests use of xml-crypto. */
interface Signer {
  addReference(reference: object): void;
  computeSignature(xml: string): void;
  getSignedXml(): string;
}

const SIGNED_OUT = '/auth/saml/signed-out';
let idp: TestIdp;
let saml: SamlGateway;

beforeAll(async () => {
  idp = await TestIdp.make('https://idp.test/metadata', HUB);
  saml = await SamlGateway.start(HUB, { default: idp });
});
afterAll(() => saml?.stop());
beforeEach(() => void (saml.ended.length = 0));

async function signedIn(): Promise<string> {
  const { id } = await saml.login();
  const answer = await saml.acs(await idp.answer({ inResponseTo: id, sessionIndex: '_s1' }));
  return (answer.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? '';
}
const get = (path: string, headers: Record<string, string> = {}) => saml.gateway.get(path, undefined, headers);
const slo = (query: string) => get(`/auth/saml/slo?${query}`);

describe('signing out', () => {
  it('ends the session and redirects to the provider, which brings the browser back', async () => {
    const cookie = await signedIn();
    const answer = await get('/auth/saml/logout', { cookie });
    expect(answer.status).toBe(302);
    expect(answer.headers['set-cookie']).toEqual(['warren=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    expect((await get('/auth/saml/getsession', { cookie })).status).toBe(401);
    const { url, xml, id } = sentMessage(answer.headers.location ?? '');
    expect(url.href).toMatch(/^https:\/\/idp\.test\/slo\?/);
    expect(xml).toMatch(/>ada@hub\.test</);
    expect(xml).toMatch(/SessionIndex[^>]*>_s1</);
    const back = await slo(idp.redirect('SAMLResponse', idp.logoutResponse(id)));
    expect([back.status, back.headers.location]).toEqual([303, SIGNED_OUT]);
  });

  it('reports a missing confirmation of the provider', async () => {
    const { id } = sentMessage((await get('/auth/saml/logout', { cookie: await signedIn() })).headers.location ?? '');
    const failed = await slo(idp.redirect('SAMLResponse', idp.logoutResponse(id, 'Responder')));
    expect(failed.headers.location).toBe(`${SIGNED_OUT}?unconfirmed=1`);
    expect((await get(`${SIGNED_OUT}?unconfirmed=1`)).text).toContain('did not confirm');
  });

  it('takes an answer that is posted to where answers to sign-ins go', async () => {
    const answer = await saml.acs(encode(idp.logoutResponse('_any')));
    expect([answer.status, answer.headers.location, answer.headers['set-cookie']]).toEqual([
      303,
      SIGNED_OUT,
      undefined,
    ]);
  });

  it('without a session ends on a page that does not sign in again', async () => {
    const answer = await get('/auth/saml/logout');
    expect([answer.status, answer.headers.location]).toEqual([302, SIGNED_OUT]);
    const page = await get(SIGNED_OUT);
    expect(page.status).toBe(200);
    expect(page.text).toContain('href="/auth/saml/login"');
    expect(page.text).not.toMatch(/http-equiv|<script/);
  });

  it.each(['cross-site', 'same-site'])('asks first when a %s page led there', async (site) => {
    const cookie = await signedIn();
    const answer = await get('/auth/saml/logout', { cookie, 'sec-fetch-site': site });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Sign out?');
    expect((await get('/auth/saml/metadata', { cookie })).status).toBe(200);
    expect(saml.sessions.has(cookie.replace('warren=', ''))).toBe(true);
  });
});

describe('a logout at the provider', () => {
  it('by redirect ends the sessions of the subject and answers the provider', async () => {
    const request = idp.logoutRequest({ sessionIndex: '_s1' });
    const answer = await slo(idp.redirect('SAMLRequest', request, { relay: 'https://idp.test/opaque?a=b' }));
    expect(answer.status).toBe(303);
    expect(saml.ended).toEqual([
      expect.objectContaining({ provider: 'default', nameId: 'ada@hub.test', sessionIndex: '_s1' }),
    ]);
    const { url, xml } = sentMessage(answer.headers.location ?? '', 'SAMLResponse');
    expect(url.href).toMatch(/^https:\/\/idp\.test\/slo-answer\?/);
    expect(url.searchParams.get('RelayState')).toBe('https://idp.test/opaque?a=b');
    expect(xml).toContain('status:Success');
    expect(xml).toContain(`InResponseTo="${/ID="([^"]+)"/.exec(request)?.[1]}"`);
  });

  it('by redirect in a frame, where no cookie comes along, ends them too', async () => {
    const frame = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' };
    const answer = await get(`/auth/saml/slo?${idp.redirect('SAMLRequest', idp.logoutRequest())}`, frame);
    expect(answer.status).toBe(303);
    expect(saml.ended).toEqual([expect.objectContaining({ nameId: 'ada@hub.test' })]);
  });

  it('without a session index ends all sessions of the subject', async () => {
    await slo(idp.redirect('SAMLRequest', idp.logoutRequest()));
    expect(saml.ended).toEqual([expect.objectContaining({ nameId: 'ada@hub.test', sessionIndex: '' })]);
  });

  const deflated = (xml: string) => encodeURIComponent(deflateRawSync(xml).toString('base64'));
  const hour = () => new Date(Date.now() - 3_600_000).toISOString();
  it.each<[string, () => string | Promise<string>]>([
    ['not signed', () => `SAMLRequest=${deflated(idp.logoutRequest())}`],
    ['signed by another key', async () => (await idp.forged()).redirect('SAMLRequest', idp.logoutRequest())],
    ['signed with SHA-1', () => idp.redirect('SAMLRequest', idp.logoutRequest(), { hash: 'sha1' })],
    ['of an hour ago', () => idp.redirect('SAMLRequest', idp.logoutRequest({ issueInstant: hour() }))],
    ['of an unknown issuer', () => idp.redirect('SAMLRequest', idp.logoutRequest({ issuer: 'https://x.test' }))],
    [
      'changed after signing',
      () => idp.redirect('SAMLRequest', idp.logoutRequest()).replace('SAMLRequest=', 'SAMLRequest=A'),
    ],
    [
      'hidden behind a signed answer',
      () => `${idp.redirect('SAMLResponse', idp.logoutResponse('_x'))}&%53AMLRequest=${deflated(idp.logoutRequest())}`,
    ],
    [
      'given beside a signed one',
      () =>
        `SAMLRequest=${deflated(idp.logoutRequest({ nameId: 'eve' }))}&${idp.redirect('SAMLRequest', idp.logoutRequest())}`,
    ],
    ['no message', () => 'SAMLRequest=%%%'],
    ['a bomb', () => `SAMLRequest=${deflated(' '.repeat(5_000_000))}`],
    ['missing', () => ''],
  ])('is refused when the request is %s', async (_what, query) => {
    const answer = await slo(await query());
    expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(saml.ended).toEqual([]);
  });

  it('posted without a signature is refused', async () => {
    const body = new URLSearchParams({ SAMLRequest: encode(idp.logoutRequest()) }).toString();
    expect((await saml.post('/auth/saml/slo', body)).status).toBe(403);
    expect(saml.ended).toEqual([]);
  });

  it('posted with one ends the sessions', async () => {
    const { SignedXml } = (await import('xml-crypto')) as unknown as { SignedXml: new (options: object) => Signer };
    const sign = new SignedXml({
      privateKey: idp.keys.private,
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    });
    sign.addReference({
      xpath: '/*',
      digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
      transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    });
    sign.computeSignature(idp.logoutRequest());
    const body = (xml: string) => new URLSearchParams({ SAMLRequest: encode(xml) }).toString();
    const changed = sign.getSignedXml().replace('ada@hub.test', 'eve@hub.test');
    // Keycloak's one address for everything is that of answers.
    for (const path of ['/auth/saml/slo', '/auth/saml/acs']) {
      saml.ended.length = 0;
      expect((await saml.post(path, body(changed))).status).toBe(403);
      expect((await saml.post(path, body(sign.getSignedXml()))).status).toBe(303);
      expect(saml.ended).toEqual([expect.objectContaining({ nameId: 'ada@hub.test' })]);
    }
  });
});
