import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OpenIdProvider } from '@warren/infra/openid';
import { TenancyService, type ResolveMemberRequest } from '@warren/proto/tenancy/v1/tenancy';
import { randomUUID } from 'node:crypto';
import { HUB, type Answer } from './gateway.ts';
import { cookiesOf, OidcGateway, startProvider } from './oidc.gateway.ts';
import { TestIdp } from './saml.idp.ts';

const ADA = { sub: 'ada-1', email: 'ada@work.test', email_verified: true, name: 'Ada' };
let work: OpenIdProvider;
let guests: OpenIdProvider;
let idp: TestIdp;
let oidc: OidcGateway;
let asked: ResolveMemberRequest[];
/** Whom each address is bound to, as tenancy does it. */
let bound: Map<string, string>;

beforeAll(async () => {
  [work, guests, idp] = await Promise.all([
    startProvider('work'),
    startProvider('guests', { claimsInIdToken: false }),
    TestIdp.make('https://idp.test/metadata', HUB),
  ]);
  const own = {
    work: { domains: ['work.test'] },
    guests: { domains: ['guests.test'], listed: false },
    school: { domains: ['school.test'] },
  };
  oidc = await OidcGateway.start({ work, guests }, own, { school: idp });
  oidc.hub.gateway.services.serve(TenancyService, {
    resolveMember: async (_caller, request) => {
      asked.push(request);
      const identity = `${request.identity?.provider} ${request.identity?.subject}`;
      if (request.bind && !bound.has(request.email)) bound.set(request.email, identity);
      return { identityMismatch: bound.get(request.email) !== identity };
    },
  });
});
afterAll(async () => {
  await oidc?.stop();
  await Promise.all([work?.stop(), guests?.stop()]);
});
beforeEach(() => {
  work.person = ADA;
  guests.person = { ...ADA, email: 'eve@guests.test' };
  work.tampers.clear();
  asked = [];
  bound = new Map();
  for (const list of [oidc.hub.signIns, oidc.hub.refusals, oidc.hub.ended, oidc.hub.logoutTokens]) list.length = 0;
});

const signInBySaml = async (email: string, nameId: string) => {
  const { id } = await oidc.hub.login('?provider=school');
  const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  return oidc.hub.acs(await idp.answer({ inResponseTo: id, email, nameId, nameIdFormat }));
};

describe('a provider', () => {
  const byOpenId = (email: string) => ((guests.person = { ...ADA, email }), oidc.signIn(guests, '?provider=guests'));
  const bySaml = (email: string) => signInBySaml(email, 'ada-1');

  it.each<[string, boolean, (email: string) => Promise<Answer>, string]>([
    ['OpenID Connect, after the first sign-in', true, byOpenId, ADA.email],
    ['OpenID Connect, before it', false, byOpenId, ADA.email],
    ['OpenID Connect, in another case', false, byOpenId, 'Ada@WORK.test'],
    ['OpenID Connect, at a separate subdomain', false, byOpenId, 'ada@work.guests.test'],
    ['OpenID Connect, as a service account', false, byOpenId, 'ci-0a2b3c4d5e6f@service-account.invalid'],
    ['SAML, after the first sign-in', true, bySaml, ADA.email],
    ['SAML, before it', false, bySaml, ADA.email],
    ['SAML, in another case', false, bySaml, 'Ada@WORK.test'],
    ['SAML, at a separate subdomain', false, bySaml, 'ada@work.school.test'],
    ['SAML, as a service account', false, bySaml, 'ci-0a2b3c4d5e6f@service-account.invalid'],
  ])("can't sign in a person of another one's domain by %s", async (_what, first, attack, email) => {
    if (first) expect((await oidc.signIn(work, '?provider=work')).status).toBe(303);
    [oidc.hub.signIns.length, asked.length] = [0, 0];
    expect((await attack(email)).status).toBe(403);
    expect(oidc.hub.signIns).toHaveLength(0);
    // The refusal is before anything could bind the user.
    expect(asked.filter(({ bind }) => bind)).toHaveLength(0);
    expect(oidc.hub.refusals).toMatchObject([{ reason: expect.stringContaining("none of the provider's domains") }]);
    if (!first) expect((await oidc.signIn(work, '?provider=work')).status).toBe(303);
  });

  it.each([
    ['OpenID Connect', byOpenId, 'ada@guests.test.'],
    ['SAML', bySaml, 'ada@school.test.'],
  ])('signs in nobody whose domain ends with a dot by %s', async (_what, attack, email) => {
    expect((await attack(email)).status).toBe(403);
    expect(oidc.hub.signIns).toHaveLength(0);
  });

  it('of OpenID Connect binds a user to issuer and subject, and refuses another subject with the address', async () => {
    expect((await oidc.signIn(work, '?provider=work')).status).toBe(303);
    const identity = { provider: 'work', subject: `${work.issuer} ada-1` };
    expect(asked).toMatchObject([{ email: ADA.email, bind: true, identity }]);
    work.person = { ...ADA, sub: 'ada-2' };
    const answer = await oidc.signIn(work, '?provider=work');
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    expect(answer.text).toContain('This address belongs to another sign-in');
  });

  it('gets no answer that another one gave (mix-up)', async () => {
    const { location, cookie } = await oidc.begin('?provider=work');
    const url = await work.visit(location);
    const before = guests.requests.length;
    expect((await oidc.callback(url.replace('/work/', '/guests/'), cookie)).status).toBe(403);
    expect(oidc.hub.refusals).toMatchObject([{ provider: 'guests', reason: 'state: of a request to work' }]);
    expect(guests.requests.slice(before)).not.toContain('/token');
  });

  it('tells claims in UserInfo as well', async () => {
    expect((await oidc.signIn(guests, '?provider=guests')).status).toBe(303);
    expect(oidc.hub.signIns[0]?.saml).toMatchObject({ email: 'eve@guests.test', name: 'Ada' });
    expect(guests.requests).toContain('/me');
  });
});

describe('the sign-in page', () => {
  const byEmail = (email: string) =>
    oidc.hub.post('/auth/saml/login', new URLSearchParams({ email, RelayState: '/devices' }).toString());

  it('lists the providers of both protocols that are listed', async () => {
    const { answer } = await oidc.begin('?RelayState=/devices');
    expect(answer.text).toContain('provider=work&amp;RelayState=%2Fdevices');
    expect(answer.text).toContain('provider=school');
    expect(answer.text).not.toContain('provider=guests');
    expect(answer.headers['content-security-policy']).toContain("form-action 'self'");
  });

  it.each([
    ['ada@WORK.test', () => `${work.issuer}/auth?`],
    ['eve@guests.test', () => `${guests.issuer}/auth?`],
    ['sam@school.test', () => 'https://idp.test/sso?'],
  ])('leads %s to the provider of the domain', async (email, to) => {
    const answer = await byEmail(email);
    expect(answer.status).toBe(200);
    expect(answer.headers['refresh']).toMatch(/^0; url=/);
    const address = String(answer.headers['refresh']).slice('0; url='.length);
    expect(address.startsWith(to())).toBe(true);
    const hint = new URL(address).searchParams.get('login_hint');
    expect(hint).toBe(address.startsWith('https://idp.test') ? null : email.toLowerCase());
  });

  it('brings a person who typed an address back to where they were', async () => {
    const answer = await byEmail(ADA.email);
    const url = await work.visit(String(answer.headers['refresh']).slice('0; url='.length));
    expect((await oidc.callback(url, cookiesOf(answer))).headers.location).toBe('/devices');
  });

  it.each(['nobody@elsewhere.test', 'nobody', '"><script>@x'])('says of %j that no sign-in takes it', async (email) => {
    const answer = await byEmail(email);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('No sign-in of this hub takes');
    expect(answer.text).not.toContain('<script>');
  });
});

describe('a logout', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = (more: object = {}) => ({
    iss: work.issuer,
    aud: 'warren',
    iat: now(),
    exp: now() + 120,
    jti: randomUUID(),
    events: EVENTS,
    sub: 'ada-1',
    sid: 'session-1',
    ...more,
  });
  const signed = (more: object = {}, typ = 'logout+jwt', by = work) => work.sign(claims(more), { typ }, by);

  it('of the provider ends the session that its token names', async () => {
    const answer = await oidc.logout('work', await signed());
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(oidc.hub.ended).toMatchObject([{ provider: 'work', nameId: 'ada-1', sessionIndex: 'session-1' }]);
    expect(oidc.hub.logoutTokens).toHaveLength(1);
    expect((await oidc.logout('work', await signed({ sub: undefined }))).status).toBe(200);
    expect(oidc.hub.ended.at(-1)).toMatchObject({ nameId: '', sessionIndex: 'session-1' });
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['of an unknown form', async () => 'x', /signature or claims/],
    ['without a signature', async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`, /"alg"/],
    ['signed by another one', () => signed({}, 'logout+jwt', guests), /signature verification failed/],
    ['of another issuer', () => signed({ iss: guests.issuer }), /"iss"/],
    ['for another client', () => signed({ aud: 'other' }), /"aud"/],
    ['that is old', () => signed({ iat: now() - 600 }), /"iat"/],
    ['that has expired', () => signed({ exp: now() - 120 }), /"exp"/],
    ['without an id', () => signed({ jti: undefined }), /expected jti/],
    ['that is an ID token', () => signed({ events: undefined, nonce: 'x' }, 'JWT'), /expected events, nonce/],
    ['of another type', () => signed({}, 'at+jwt'), /expected the type/],
    ['of nobody', () => signed({ sub: undefined, sid: undefined }), /expected sub or sid/],
  ])('by a token %s is refused', async (_what, make, reason) => {
    const answer = await oidc.logout('work', await make());
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringMatching(reason) },
    ]);
    expect(oidc.hub.ended).toHaveLength(0);
  });

  it('by the person leads to the provider, which knows the session by the ID token', async () => {
    const signedIn = await oidc.signIn(work, '?provider=work');
    const answer = await oidc.hub.gateway.get('/auth/saml/logout', undefined, { cookie: cookiesOf(signedIn) });
    const url = new URL(answer.headers.location ?? '');
    expect(url.href.startsWith(`${work.issuer}/session/end?`)).toBe(true);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${HUB}/auth/saml/signed-out`);
    expect(url.searchParams.get('id_token_hint')).toBe(oidc.hub.signIns[0]?.idToken);
  });
});
