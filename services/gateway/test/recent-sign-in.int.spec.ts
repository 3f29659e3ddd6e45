import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { claimsOf, type OpenIdProvider } from '@warren/infra/openid';
import { Role } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { AccessRequestsService } from '@warren/proto/tenancy/v1/requests';
import { ACCOUNT, DEVICE, HUB, person, shownTo, TestGateway, type Answer } from './gateway.ts';
import { cookiesOf, OidcGateway, startProvider } from './oidc.gateway.ts';
import { sentMessage, TestIdp } from './saml.idp.ts';

const REQUEST = '01997b5c-0000-7000-8000-0000000000f1';
const MINUTE = 60_000;

describe('signing in again', () => {
  let provider: OpenIdProvider;
  let idp: TestIdp;
  let oidc: OidcGateway;

  beforeAll(async () => {
    provider = await startProvider('work');
    provider.person = { sub: 'ada-1', email: 'ada@hub.test', email_verified: true, name: 'Ada Example' };
    idp = await TestIdp.make('https://idp.test/metadata', HUB);
    oidc = await OidcGateway.start({ work: provider }, { work: { domains: ['hub.test'] } }, { default: idp });
  });
  afterAll(async () => {
    await oidc?.stop();
    await provider?.stop();
  });
  afterEach(() => {
    provider.tampers.clear();
    oidc.hub.refusals.length = 0;
  });

  const lastAuthTime = () => {
    const { authTime } = oidc.hub.signIns.at(-1) ?? {};
    return authTime && timestampMs(authTime);
  };
  const again = (cookie: string) => oidc.begin('?recent=yes&RelayState=/requests/x', cookie);
  const expectStale = (answer: Answer, told: RegExp) => {
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    expect(answer.text).toContain('did not ask you to sign in again');
    expect(oidc.hub.refusals.at(-1)).toMatchObject({ kind: 'stale', reason: expect.stringMatching(told) });
  };

  describe('with OpenID Connect', () => {
    it('leads to the provider of the session, which asks the person again, and back to the page', async () => {
      const session = cookiesOf(await oidc.signIn(provider, '?provider=work'));
      const { location, cookie } = await again(session);
      expect(location.startsWith(provider.issuer)).toBe(true);
      const asked = Object.fromEntries(new URL(location).searchParams);
      expect(asked).toMatchObject({ max_age: '0', prompt: 'login', login_hint: 'ada@hub.test' });
      const came = await oidc.callback(await provider.visit(location), cookie);
      expect([came.status, came.headers.location]).toEqual([303, '/requests/x']);
      expect(lastAuthTime()).toBeGreaterThan(Date.now() - MINUTE);
    });

    it.each<[string, () => object, RegExp]>([
      ['an old time', () => ({ auth_time: Math.floor(Date.now() / 1_000) - 600 }), /stated a sign-in at/],
      ['no time', () => ({ auth_time: undefined }), /stated no time/],
    ])('refuses a provider that answers with %s', async (_what, changed, told) => {
      const session = cookiesOf(await oidc.signIn(provider, '?provider=work'));
      provider.tampers.set('/token', async (body) => ({
        ...body,
        id_token: await provider.sign({ ...claimsOf(body['id_token']), ...changed() }),
      }));
      const { location, cookie } = await again(session);
      expectStale(await oidc.callback(await provider.visit(location), cookie), told);
    });
  });

  describe('with SAML', () => {
    const signedIn = async () => {
      const { id } = await oidc.hub.login('?provider=default');
      return cookiesOf(await oidc.hub.acs(await idp.answer({ inResponseTo: id })));
    };

    it('asks the provider of the session with ForceAuthn, and keeps AuthnInstant', async () => {
      const { location } = await again(await signedIn());
      expect(location).toMatch(/^https:\/\/idp\.test\/sso\?/);
      const { id, xml } = sentMessage(location);
      expect(xml).toContain('ForceAuthn="true"');
      const answer = await oidc.hub.acs(await idp.answer({ inResponseTo: id }), { RelayState: '/requests/x' });
      expect([answer.status, answer.headers.location]).toEqual([303, '/requests/x']);
      expect(lastAuthTime()).toBeGreaterThan(Date.now() - MINUTE);
      expect(lastAuthTime()).toBeLessThanOrEqual(Date.now());
      expect((await oidc.hub.login('?provider=default')).xml).not.toContain('ForceAuthn');
    });

    it('refuses a provider that used its former session', async () => {
      const { id } = sentMessage((await again(await signedIn())).location);
      // As if the hub had asked later than the provider says the person signed in.
      const asked = JSON.parse(oidc.hub.requests.get(id) ?? '{}') as object;
      const sent = new Date(Date.now() + 10 * MINUTE).toISOString();
      oidc.hub.requests.set(id, JSON.stringify({ ...asked, sent }));
      expectStale(await oidc.hub.acs(await idp.answer({ inResponseTo: id })), /stated a sign-in at/);
    });
  });

  it('is a usual sign-in without a session', async () => {
    const { location, answer } = await oidc.begin('?recent=yes');
    expect([answer.status, location]).toEqual([200, '']);
  });
});

describe('a recent sign-in', () => {
  const recentSignIn = { minutes: 30, terminals: true, manage: true, grants: true };
  const bound = (name: string, minutesAgo?: number, rule: object | null = recentSignIn) => {
    const who = person(name, Role.OWNER);
    if (rule) Object.assign(who.member, { recentSignIn: rule });
    gateway.signIn(who);
    const secret = who.cookie.slice('warren='.length);
    if (minutesAgo !== undefined) gateway.authTimes.set(secret, new Date(Date.now() - minutesAgo * MINUTE));
    return who;
  };
  const required = { status: 403, json: { code: 'recent_sign_in_required' } };
  const approve = (as: ReturnType<typeof bound>) =>
    gateway.call('POST', `/api/accounts/${ACCOUNT}/access/requests/${REQUEST}/approve`, { as, body: {} });
  let gateway: TestGateway;
  let decided = 0;

  beforeAll(async () => {
    gateway = await TestGateway.start({ RATE_LIMITS: 'No' });
    gateway.services.serve(DevicesService, { getDevice: async (caller) => shownTo(caller) });
    gateway.services.serve(AccessRequestsService, {
      decideAccessRequest: async () => (decided++, { request: { id: REQUEST, userId: ACCOUNT } }),
    });
  });
  afterAll(() => gateway?.stop());

  it.each([
    ['old', 31],
    ['of a session without a time', undefined],
  ])('is asked for where the sign-in is %s', async (_what, ago) => {
    const who = bound(`a${ago ?? 'n'}`, ago);
    expect(await gateway.get(`/api/get-socket-token/${DEVICE}`, who)).toMatchObject(required);
    expect(await gateway.get(`/api/get-socket-token/${DEVICE}?purpose=desktop`, who)).toMatchObject(required);
    expect((await gateway.get(`/api/get-socket-token/${DEVICE}?purpose=logs`, who)).status).toBe(200);
    expect(await gateway.call('POST', `/api/devices/${DEVICE}/reboot`, { as: who, body: {} })).toMatchObject(required);
    expect(await gateway.call('POST', `/api/accounts/${ACCOUNT}/grants`, { as: who, body: {} })).toMatchObject(
      required,
    );
    expect(await approve(who)).toMatchObject(required);
    expect(decided).toBe(0);
  });

  it('lets through within its time', async () => {
    const who = bound('fresh', 29);
    expect((await gateway.get(`/api/get-socket-token/${DEVICE}`, who)).status).toBe(200);
    expect((await approve(who)).status).toBe(200);
    expect(decided).toBe(1);
  });

  it('is not asked for where the account does not, but for decisions', async () => {
    const who = bound('plain', 31, { minutes: 15, terminals: false, manage: false, grants: false });
    expect((await gateway.get(`/api/get-socket-token/${DEVICE}`, who)).status).toBe(200);
    expect(await approve(who)).toMatchObject(required);
    // A tenancy of the release before tells no rules.
    expect((await gateway.get(`/api/get-socket-token/${DEVICE}`, bound('former', undefined, null))).status).toBe(200);
  });
});
