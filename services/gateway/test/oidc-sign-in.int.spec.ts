import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { claimsOf, type OpenIdProvider } from '@warren/infra/openid';
import { UnsecuredJWT } from 'jose';
import { HUB, type Answer } from './gateway.ts';
import { OidcGateway, startProvider } from './oidc.gateway.ts';

const ADA = { sub: 'ada-1', email: 'Ada@Hub.test', email_verified: true, name: 'Ada Example' };
let provider: OpenIdProvider;
let oidc: OidcGateway;

beforeAll(async () => {
  provider = await startProvider('work');
  oidc = await OidcGateway.start({ work: provider }, { work: { domains: ['hub.test', 'corp.test'], maxAge: 3600 } });
});
afterAll(async () => {
  await oidc?.stop();
  await provider?.stop();
});
beforeEach(() => {
  provider.person = ADA;
  oidc.hub.signIns.length = 0;
  oidc.hub.refusals.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
  provider.tampers.clear();
});

function expectRefused(answer: Answer, reason: RegExp): void {
  expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
  expect(answer.text).toContain('Sign-in not accepted');
  expect(oidc.hub.signIns).toHaveLength(0);
  expect(oidc.hub.refusals.map((refusal) => refusal.reason).join()).toMatch(reason);
}

/** Signs in with an ID token whose claims are changed and signed again with the provider's key. */
async function withClaims(changed: object): Promise<Answer> {
  provider.tampers.set('/token', async (body) => ({
    ...body,
    id_token: await provider.sign({ ...claimsOf(body['id_token']), ...changed }),
  }));
  return oidc.signIn(provider);
}

describe('a sign-in', () => {
  it('asks for a code with PKCE, state and nonce, and opens a session for the verified person', async () => {
    const { location, cookie, answer } = await oidc.begin('?RelayState=/devices');
    expect(answer.status).toBe(302);
    const asked = Object.fromEntries(new URL(location).searchParams);
    expect(asked).toMatchObject({
      client_id: 'warren',
      response_type: 'code',
      code_challenge_method: 'S256',
      max_age: '3600',
      scope: 'openid profile email',
      redirect_uri: `${HUB}/auth/oidc/work/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]).toMatch(/^[\w-]{43}$/);
    const came = await oidc.callback(await provider.visit(location), cookie);
    expect([came.status, came.headers.location]).toEqual([303, '/devices']);
    const [signedIn] = oidc.hub.signIns;
    expect(signedIn?.saml).toMatchObject({
      provider: 'work',
      nameId: 'ada-1',
      nameIdFormat: 'openid:sub',
      nameQualifier: provider.issuer,
      email: 'ada@hub.test',
      name: 'Ada Example',
      sessionIndex: expect.stringMatching(/./),
    });
    expect(signedIn?.authTime && timestampMs(signedIn.authTime)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('stores nothing from which the nonce or the code verifier is known', async () => {
    const { location } = await oidc.begin();
    const { state = '', nonce = '' } = Object.fromEntries(new URL(location).searchParams);
    const stored = oidc.hub.requests.get(state) ?? '';
    expect(stored).toContain('"provider":"work"');
    expect(stored).not.toContain(nonce);
  });
});

describe('an answer', () => {
  it('is taken once', async () => {
    const { location, cookie } = await oidc.begin();
    const url = await provider.visit(location);
    expect((await oidc.callback(url, cookie)).status).toBe(303);
    oidc.hub.signIns.length = 0;
    expectRefused(await oidc.callback(url, cookie), /state: unknown, used before/);
  });

  it('with a used code is refused by the provider, whatever the state', async () => {
    const { location, cookie } = await oidc.begin();
    const used = new URL(await provider.visit(location));
    await oidc.callback(used.href, cookie);
    oidc.hub.signIns.length = 0;
    const again = await oidc.begin('', cookie);
    used.searchParams.set('state', new URL(again.location).searchParams.get('state') ?? '');
    expectRefused(await oidc.callback(used.href, cookie), /token endpoint: invalid_grant/);
  });

  it.each<[string, (url: URL) => void, RegExp]>([
    ['without a state', (url) => url.searchParams.delete('state'), /state: missing/],
    ['with two states', (url) => url.searchParams.append('state', 'x'), /state: missing/],
    ['with another state', (url) => url.searchParams.set('state', 'a'.repeat(43)), /state: unknown/],
    ['from another issuer', (url) => url.searchParams.set('iss', 'https://evil.test'), /unexpected "iss"/],
    ['without an issuer', (url) => url.searchParams.delete('iss'), /"iss" \(issuer\) missing/],
    ['without a code', (url) => url.searchParams.delete('code'), /authorization code/],
    ['that is too long', (url) => url.searchParams.set('more', 'x'.repeat(9_000)), /too long/],
  ])('%s is refused', async (_what, change, reason) => {
    const { location, cookie } = await oidc.begin();
    const url = new URL(await provider.visit(location));
    change(url);
    expectRefused(await oidc.callback(url.href, cookie), reason);
  });

  it('in another browser is refused', async () => {
    const { location } = await oidc.begin();
    const other = await oidc.begin();
    const url = await provider.visit(location);
    expectRefused(await oidc.callback(url, other.cookie), /state: of another browser/);
    expectRefused(await oidc.callback(url, ''), /state: of another browser/);
  });

  it('that says no is refused, with what the provider says', async () => {
    provider.person = undefined;
    const answer = await oidc.signIn(provider);
    expectRefused(answer, /status: access_denied/);
    expect(answer.text).toContain('nobody is here');
  });
});

describe('an ID token', () => {
  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => object, RegExp]>([
    ['of another issuer', () => ({ iss: 'https://evil.test' }), /iss: unexpected/],
    ['for another client', () => ({ aud: 'other' }), /aud: unexpected/],
    ['for several clients', () => ({ aud: ['warren', 'other'], azp: 'other' }), /azp: unexpected/],
    ['with another nonce', () => ({ nonce: 'x' }), /nonce: unexpected/],
    ['without a nonce', () => ({ nonce: undefined }), /nonce/],
    ['that has expired', () => ({ exp: now() - 120 }), /exp|expir/],
    ['of a sign-in that is too long ago', () => ({ auth_time: now() - 3_700 }), /auth_time: too much time/],
  ])('%s is refused', async (_what, changed, reason) => {
    expectRefused(await withClaims(changed()), reason);
  });

  it('without a signature is refused', async () => {
    provider.tampers.set('/token', (body) => ({
      ...body,
      id_token: new UnsecuredJWT(claimsOf(body['id_token'])).encode(),
    }));
    expectRefused(await oidc.signIn(provider), /"alg"/);
  });

  it('signed by somebody else with the name of the right key is refused', async () => {
    const other = await startProvider('other');
    provider.tampers.set('/token', async (body) => ({
      ...body,
      id_token: await provider.sign(claimsOf(body['id_token']), {}, other),
    }));
    expectRefused(await oidc.signIn(provider), /signature verification failed/);
    await other.stop();
  });

  it('within the tolerance of the clocks is accepted', async () => {
    expect((await withClaims({ exp: now() - 30 })).status).toBe(303);
  });
});

describe('an e-mail address', () => {
  it.each<[string, object, RegExp]>([
    ['that is not verified', { email_verified: false }, /ada@hub\.test: email_verified is not true/],
    ['that nobody says is verified', { email_verified: undefined }, /email_verified is missing/],
    ['of another domain', { email: 'ada@elsewhere.test' }, /of none of the provider's domains/],
    ['that is none', { email: 'ada' }, /not in the claim email/],
  ])('%s is refused', async (_what, changed, reason) => {
    provider.person = { ...ADA, ...changed };
    expectRefused(await oidc.signIn(provider), reason);
  });
});

describe("the provider's answers", () => {
  it('are read up to 256 KiB', async () => {
    provider.tampers.set('/token', (body) => ({ ...body, more: 'x'.repeat(300_000) }));
    expectRefused(await oidc.signIn(provider), /at most 262144 bytes/);
  });

  it('lead nowhere else', async () => {
    provider.tampers.set('/token', (body, context) => {
      context.status = 307;
      context.set('location', `${provider.issuer}/elsewhere`);
      return body;
    });
    expectRefused(await oidc.signIn(provider), /expected an answer without a redirect/);
    expect(provider.requests).not.toContain('/elsewhere');
  });
});

// The last test: the first key is gone afterwards.
it('a new key of the provider is read when a token needs it, at most every 30 s', async () => {
  expect((await oidc.signIn(provider)).status).toBe(303);
  oidc.hub.signIns.length = 0;
  await provider.rotate();
  expectRefused(await oidc.signIn(provider), /no applicable key/);
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now + 31_000);
  expect((await oidc.signIn(provider)).status).toBe(303);
});
