import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OpenIdProvider } from '@warren/infra/openid';
import { until } from '@warren/infra/until';
import { Role, Status } from '@warren/proto/common/v1/common';
import { TenancyService, type ResolveMemberRequest } from '@warren/proto/tenancy/v1/tenancy';
import { ACCOUNT, HUB, OTHER_ACCOUNT, type Answer } from './gateway.ts';
import { cookiesOf, OidcGateway, startProvider } from './oidc.gateway.ts';
import { decode, encode, TestIdp, type AnswerOptions } from './saml.idp.ts';

const ADA = { sub: 'ada-1', email: 'ada@work.test', email_verified: true, name: 'Ada' };
const EVE = { sub: 'eve-1', email: 'eve@work.test', email_verified: true };
let work: OpenIdProvider;
let idp: TestIdp;
let oidc: OidcGateway;
let asked: ResolveMemberRequest[];

beforeAll(async () => {
  [work, idp] = await Promise.all([startProvider('work'), TestIdp.make('https://idp.test/metadata', HUB)]);
  const own = { work: { domains: ['work.test'] }, school: { domains: ['school.test'], listed: false } };
  oidc = await OidcGateway.start({ work }, own, { school: idp });
  const { services } = oidc.hub.gateway;
  services.serve(TenancyService, {
    resolveMember: async (_caller, request) => {
      asked.push(request);
      const { email } = request;
      if (email === EVE.email)
        return { identityMismatch: request.identity !== undefined, ...memberOf(email, Role.MEMBER) };
      const superAdmin = email === 'sam@school.test';
      return memberOf(email, superAdmin ? Role.SUPER_ADMIN : Role.OWNER, superAdmin);
    },
  });
  const details = '{"idTokenClaims":["sub"]}';
  const signIns = [{ id: ACCOUNT, provider: 'work', kind: 'unverified', reason: 'r', details }];
  oidc.hub.refusedSignIns = { signIns, next: ACCOUNT };
});
afterAll(async () => {
  await oidc?.stop();
  await work?.stop();
});
beforeEach(() => {
  work.person = ADA;
  asked = [];
  oidc.hub.listed.length = 0;
  oidc.hub.signIns.length = oidc.hub.refusals.length = 0;
});

function memberOf(email: string, role: Role, operator = false) {
  const accountId = operator ? OTHER_ACCOUNT : ACCOUNT;
  const user = {
    id: ACCOUNT,
    email,
    name: 'Ada',
    role,
    groupId: ACCOUNT,
    status: Status.ACTIVE,
    accountId,
    accountName: 'Acme',
  };
  return { user, accountStatus: Status.ACTIVE, operator };
}

/** The cookie of a session of an owner, or of a SuperAdmin. */
async function session(superAdmin = false): Promise<string> {
  if (!superAdmin) return cookiesOf(await oidc.signIn(work, '?provider=work'));
  const { id } = await oidc.hub.login('?provider=school');
  return cookiesOf(await oidc.hub.acs(await idp.answer({ inResponseTo: id, email: 'sam@school.test' })));
}

const begin = async (provider: string, cookie: string): Promise<Answer> =>
  oidc.hub.gateway.call('POST', '/api/sign_in_trials', {
    body: JSON.stringify({ provider }),
    headers: { cookie, 'content-type': 'application/json', origin: HUB },
  });

describe('a trial', () => {
  it('shows what was understood, opens no session and binds nobody', async () => {
    const begun = await begin('work', await session());
    expect(begun.status).toBe(200);
    oidc.hub.signIns.length = 0;
    asked = [];
    const answer = await oidc.callback(await work.visit(begun.json.url), cookiesOf(begun));
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
    for (const text of ['This sign-in works', 'ada-1', 'ada@work.test', 'Ada, Owner of Acme', work.issuer])
      expect(answer.text).toContain(text);
    expect(oidc.hub.signIns).toHaveLength(0);
    expect(asked).toMatchObject([{ bind: false, identity: { provider: 'work' } }]);
  });

  it('shows which check failed, and what mends it', async () => {
    const begun = await begin('work', await session());
    work.person = { ...ADA, email_verified: false };
    const answer = await oidc.callback(await work.visit(begun.json.url), cookiesOf(begun));
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    for (const text of [
      'This sign-in fails',
      'email_verified is not true',
      'Verify the address at the provider',
      'idTokenClaims',
    ])
      expect(answer.text).toContain(text);
  });

  it('works with SAML as well', async () => {
    const begun = await begin('school', await session(true));
    const [id] = [...oidc.hub.requests].findLast(([, value]) => value.includes('"trial":true')) ?? [];
    oidc.hub.signIns.length = 0;
    const answer = await oidc.hub.acs(await idp.answer({ inResponseTo: id, email: 'sam@school.test' }));
    expect([begun.status, answer.status, answer.headers['set-cookie']]).toEqual([200, 200, undefined]);
    expect(answer.text).toContain('This sign-in works');
    expect(oidc.hub.signIns).toHaveLength(0);
  });

  const tampered = async (cookie: string, options: Partial<AnswerOptions>, tamper = (xml: string) => xml) => {
    await begin('school', cookie);
    const [id] = [...oidc.hub.requests].findLast(([, value]) => value.includes('"trial":true')) ?? [];
    oidc.hub.signIns.length = oidc.hub.refusals.length = 0;
    const answer = await idp.answer({ inResponseTo: id, email: 'sam@school.test', ...options });
    return oidc.hub.acs(encode(tamper(decode(answer))));
  };

  it.each([
    ['signature', {}, (xml: string) => xml.replaceAll('sam@', 'boss@'), ['Look for a proxy', 'clockDifferenceMs']],
    ['audience', { audience: 'https://other.test' }, undefined, ['Correct the entity ID and the ACS URL']],
    ['e-mail domain', { email: 'sam@elsewhere.test' }, undefined, ['Add the domain to domains', 'SAML_PROVIDERS']],
    [
      'issuer',
      {},
      (xml: string) => xml.replaceAll('>https://idp.test/metadata<', '>https://stranger.test<'),
      ['receivedIssuer', 'https://stranger.test', '[&quot;https://idp.test/metadata&quot;]'],
    ],
  ])('of SAML shows which check failed, and what mends it: %s', async (_what, options, tamper, texts) => {
    const answer = await tampered(await session(true), options, tamper);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    for (const text of ['This sign-in fails', 'school', 'Back to the sign-in doctor', ...texts])
      expect(answer.text).toContain(text);
    expect(oidc.hub.signIns).toHaveLength(0);
    await until(() => oidc.hub.refusals.length === 1);
    expect(oidc.hub.refusals).toMatchObject([{ provider: 'school' }]);
  });

  it('of SAML shows nothing of an answer to no request of the trial', async () => {
    const answer = await tampered(await session(true), { inResponseTo: '_nobody', audience: 'https://other.test' });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('This sign-in fails');
    expect(answer.text).not.toContain('clockDifferenceMs');
  });

  it('is for providers that the person may try', async () => {
    const hidden = await begin('school', await session());
    expect([hidden.status, hidden.json.errors[0].field]).toEqual([400, 'provider']);
  });
});

describe('refused sign-ins', () => {
  it('are reported with the check, what was received, and the account of a verified address', async () => {
    work.person = { ...EVE, email_verified: false };
    await oidc.signIn(work, '?provider=work');
    expect(oidc.hub.refusals).toMatchObject([{ kind: 'unverified', email: EVE.email, accountId: ACCOUNT }]);
    const details = JSON.parse(oidc.hub.refusals[0]?.details ?? '');
    expect(details.idToken).toEqual({ iss: work.issuer, sub: 'eve-1', email: EVE.email, email_verified: 'false' });
    work.person = EVE;
    await oidc.signIn(work, '?provider=work');
    expect(oidc.hub.refusals.at(-1)).toMatchObject({ kind: 'identity', email: EVE.email, accountId: ACCOUNT });
    await oidc.callback(`${HUB}/auth/oidc/work/callback?state=x&code=y`, '');
    expect(oidc.hub.refusals.at(-1)).toMatchObject({ kind: 'request', email: '', accountId: '' });
  });

  it('are listed with what mends them, and with the providers that can be tried', async () => {
    const answer = await oidc.hub.gateway.get('/api/sign_in_failures?provider=work&limit=5', undefined, {
      cookie: await session(),
    });
    expect(oidc.hub.listed).toMatchObject([{ provider: 'work', limit: 5, accountId: '', before: '' }]);
    expect(answer.json).toMatchObject({
      failures: [
        {
          provider_name: 'The <work> one',
          protocol: 'oidc',
          received: { idTokenClaims: ['sub'] },
          mend: expect.stringContaining('emailVerified of OIDC_PROVIDERS'),
        },
      ],
      next: ACCOUNT,
      providers: [{ id: 'work', protocol: 'oidc', usable: true }],
    });
    const all = await oidc.hub.gateway.get('/api/sign_in_failures', undefined, { cookie: await session(true) });
    expect(all.json.providers).toHaveLength(2);
  });
});
