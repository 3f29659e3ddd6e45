import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimsOf, type OpenIdProvider } from '@warren/infra/openid';
import { Fault } from '@warren/platform/errors/fault';
import { Role, Status } from '@warren/proto/common/v1/common';
import {
  GroupRulesService,
  type ListGroupRulesRequest,
  type SetGroupRulesRequest,
} from '@warren/proto/tenancy/v1/group_rules';
import {
  GroupMappingOutcome,
  ProviderGroupsProblem,
  TenancyService,
  type ResolveMemberRequest,
} from '@warren/proto/tenancy/v1/tenancy';
import { ACCOUNT, HUB } from './gateway.ts';
import { cookiesOf, OidcGateway, startProvider } from './oidc.gateway.ts';
import { TestIdp } from './saml.idp.ts';

const ADA = { sub: 'ada-1', email: 'ada@work.test', email_verified: true, name: 'Ada' };
const { UNSPECIFIED, OVERAGE, TOO_MANY, UNREADABLE, UNAVAILABLE } = ProviderGroupsProblem;
const GROUP = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
const OTHER = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e70';
const ENTRA = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';
const many = (count: number) => Array.from({ length: count }, (_, at) => `g${at}`);

let work: OpenIdProvider;
let plain: OpenIdProvider;
let idp: TestIdp;
let oidc: OidcGateway;
let asked: ResolveMemberRequest[];
/** Whether tenancy fails to map groups. */
let isFailing: boolean;
/** Whether tenancy says that the account has rules; undefined for one of before. */
let groupRules: boolean | undefined;
let setting: SetGroupRulesRequest[];
let listing: ListGroupRulesRequest[];

beforeAll(async () => {
  [work, plain, idp] = await Promise.all([
    startProvider('work'),
    startProvider('plain', { claimsInIdToken: false }),
    TestIdp.make('https://idp.test/metadata', HUB),
  ]);
  const own = {
    work: { domains: ['work.test'] },
    plain: { domains: ['plain.test'], groupsClaim: 'groups' },
    school: { domains: ['school.test'] },
  };
  oidc = await OidcGateway.start({ work, plain }, own, { school: idp });
  const { services } = oidc.hub.gateway;
  const user = {
    id: ACCOUNT,
    name: 'Ada',
    role: Role.OWNER,
    groupId: ACCOUNT,
    status: Status.ACTIVE,
    accountId: ACCOUNT,
  };
  services.serve(TenancyService, {
    resolveMember: async (_caller, request) => {
      asked.push(request);
      if (isFailing && request.groups) throw new Fault('unavailable', 'tenancy is restarting.');
      const matched = [{ value: 'eng', groupName: 'Engineers' }];
      const groupMapping = {
        outcome: GroupMappingOutcome.MOVED,
        matched,
        groupBefore: 'Members',
        groupAfter: 'Engineers',
      };
      const says = request.groups ? { groupMapping } : groupRules !== undefined && { groupRules };
      return { user: { ...user, email: request.email }, accountStatus: Status.ACTIVE, ...says };
    },
  });
  const rules = [{ id: GROUP, provider: 'gone', value: 'old', groupId: GROUP, groupName: 'Engineers' }];
  const list = {
    rules,
    version: 'v1',
    groups: [{ id: GROUP, name: 'Engineers' }],
    domains: ['work.test'],
    homeProvisioned: true,
  };
  services.serve(GroupRulesService, {
    listGroupRules: async (_caller, request) => (listing.push(request), list),
    setGroupRules: async (_caller, request) => {
      setting.push(request);
      return list;
    },
  });
});
afterAll(async () => {
  await oidc?.stop();
  await Promise.all([work?.stop(), plain?.stop()]);
});
beforeEach(() => {
  [asked, setting, listing] = [[], [], []];
  isFailing = false;
  groupRules = undefined;
  work.tampers.clear();
  work.requests.length = 0;
});

/** The groups that tenancy was asked to map. */
const stated = () => asked.map(({ groups, bind }) => [groups?.values, groups?.problem, bind]).at(-1);

async function openId(more: object, provider = work, email = ADA.email) {
  provider.person = { ...ADA, email, ...more };
  expect((await oidc.signIn(provider, `?provider=${provider === work ? 'work' : 'plain'}`)).status).toBe(303);
  return stated();
}

async function saml(claims: Record<string, unknown>) {
  const { id } = await oidc.hub.login('?provider=school');
  const email = 'sam@school.test';
  const answer = await oidc.hub.acs(await idp.answer({ inResponseTo: id, email, claims: { email, ...claims } }));
  expect(answer.status).toBe(303);
  return stated();
}

describe('groups of a sign-in', () => {
  it.each([
    ['an array', { groups: ['eng', ' ops ', 'eng'] }, ['eng', 'ops'], UNSPECIFIED],
    ['a text', { groups: 'eng' }, ['eng'], UNSPECIFIED],
    ['nothing', {}, [], UNSPECIFIED],
    ['a reference, as Entra ID sends it', { _claim_names: { groups: 'src1' } }, [], OVERAGE],
    ['an object', { groups: { eng: true } }, [], UNREADABLE],
    ['too many', { groups: many(1_001) }, [], TOO_MANY],
  ])('come from an ID token with %s', async (_what, more, values, problem) => {
    expect(await openId(more)).toEqual([values, problem, true]);
  });

  it('come from UserInfo if the ID token has no claims', async () => {
    expect(await openId({ groups: ['eng'] }, plain, 'ada@plain.test')).toEqual([['eng'], UNSPECIFIED, true]);
  });

  describe('that the ID token does not state', () => {
    /** As GitLab does: the ID token names the person, and UserInfo alone the groups. */
    const groupsInUserInfo = () =>
      work.tampers.set('/token', async (body) => {
        const { groups: _groups, _claim_names, ...claims } = claimsOf(body['id_token']);
        return { ...body, id_token: await work.sign(claims) };
      });

    it('come from UserInfo, which does not decide who the person is', async () => {
      groupsInUserInfo();
      // UserInfo of Entra ID states no verified address.
      work.tampers.set('/me', (body) => ({ ...body, email: 'eve@work.test', email_verified: false }));
      expect(await openId({ groups: ['eng'] })).toEqual([['eng'], UNSPECIFIED, true]);
      expect(asked.at(-1)?.email).toBe(ADA.email);
    });

    it('are none if UserInfo has none either, and a reference if it has that', async () => {
      groupsInUserInfo();
      expect(await openId({})).toEqual([[], UNSPECIFIED, true]);
      expect(await openId({ _claim_names: { groups: 'src1' } })).toEqual([[], OVERAGE, true]);
    });

    it.each([
      ['fails', 500, {}],
      ['is of another person', 200, { sub: 'eve' }],
    ])('are not known if UserInfo %s, which refuses nobody', async (_what, status, more) => {
      groupsInUserInfo();
      work.tampers.set('/me', (body, context) => ((context.status = status), { ...body, ...more }));
      expect(await openId({ groups: ['eng'] })).toEqual([[], UNAVAILABLE, true]);
    });

    it('are not asked for if the ID token states them or refers to them', async () => {
      await openId({ groups: [] });
      await openId({ _claim_names: { groups: 'src1' } });
      expect(work.requests).not.toContain('/me');
    });
  });

  it.each([
    ['several values', { groups: ['eng', 'ops'] }, ['eng', 'ops'], UNSPECIFIED],
    ['one value', { Groups: 'eng' }, ['eng'], UNSPECIFIED],
    ["Entra ID's name", { [ENTRA]: ['id-1', 'id-2'] }, ['id-1', 'id-2'], UNSPECIFIED],
    ['no such attribute', { department: 'eng' }, [], UNSPECIFIED],
    ['a reference', { 'http://schemas.microsoft.com/claims/groups.link': 'https://graph.test/x' }, [], OVERAGE],
    ['too many', { groups: many(1_001) }, [], TOO_MANY],
  ])('come from an assertion with %s', async (_what, claims, values, problem) => {
    expect(await saml(claims)).toEqual([values, problem, true]);
  });

  it('move nobody by an assertion that was used before', async () => {
    const { id } = await oidc.hub.login('?provider=school');
    const request = oidc.hub.requests.get(id) ?? '';
    const email = 'sam@school.test';
    const answer = await idp.answer({ inResponseTo: id, email, claims: { email, groups: ['eng'] } });
    expect((await oidc.hub.acs(answer)).status).toBe(303);
    expect(stated()).toEqual([['eng'], UNSPECIFIED, true]);
    asked = [];
    oidc.hub.requests.set(id, request);
    expect((await oidc.hub.acs(answer)).status).toBe(403);
    expect(asked.map(({ groups }) => groups)).toEqual([undefined]);
  });

  it.each([
    ['a tenancy of before', undefined, 2],
    ['an account with rules', true, 2],
    ['an account without rules', false, 1],
  ])('are mapped in a second call for %s: %j', async (_which, rules, calls) => {
    groupRules = rules;
    const [values] = (await openId({ groups: ['eng'] })) ?? [];
    expect([asked.length, values]).toEqual([calls, calls === 2 ? ['eng'] : undefined]);
  });

  it('end the session that was opened if they cannot be mapped', async () => {
    work.person = ADA;
    isFailing = true;
    const before = new Set(oidc.hub.sessions.keys());
    const opened = oidc.hub.signIns.length;
    const answer = await oidc.signIn(work, '?provider=work');
    expect([answer.status, cookiesOf(answer)]).toEqual([503, expect.not.stringContaining('warren=')]);
    expect(asked.map(({ groups }) => groups?.values)).toEqual([undefined, []]);
    expect(oidc.hub.signIns).toHaveLength(opened + 1);
    expect(new Set(oidc.hub.sessions.keys())).toEqual(before);
  });

  it('are shown by a trial with the rules that match, and move nobody', async () => {
    const cookie = cookiesOf(await oidc.signIn(work, '?provider=work'));
    const trial = async (more: object) => {
      const begun = await oidc.hub.gateway.call('POST', '/api/sign_in_trials', {
        body: JSON.stringify({ provider: 'work' }),
        headers: { cookie, 'content-type': 'application/json', origin: HUB },
      });
      work.person = { ...ADA, ...more };
      return oidc.callback(await work.visit(begun.json.url), cookiesOf(begun));
    };
    const { text } = await trial({ groups: ['eng', '<b>ops</b>'] });
    for (const part of ['eng, &lt;b&gt;ops&lt;/b&gt; (groups)', 'eng → Engineers', 'Engineers in place of Members'])
      expect(text).toContain(part);
    expect(stated()).toEqual([['eng', '<b>ops</b>'], UNSPECIFIED, false]);
    expect((await trial({ _claim_names: { groups: 'src1' } })).text).toContain('the provider sent a reference');
  });
});

describe('group rules', () => {
  const call = async (method: 'GET' | 'PUT', body?: object) => {
    work.person = ADA;
    const cookie = cookiesOf(await oidc.signIn(work, '?provider=work'));
    return oidc.hub.gateway.call(method, `/api/accounts/${ACCOUNT}/group_rules`, {
      ...(body && { body: JSON.stringify(body) }),
      headers: { cookie, 'content-type': 'application/json', origin: HUB },
    });
  };
  const rule = (provider: string, value = 'eng') => ({ provider, value, group: GROUP });

  it('may name the providers that sign in people of the account, and say which rules have lost theirs', async () => {
    expect((await call('GET')).json).toEqual({
      rules: [
        {
          id: GROUP,
          provider: 'gone',
          provider_name: '',
          value: 'old',
          group: { id: GROUP, name: 'Engineers' },
          users: 0,
          problem: 'provider',
        },
      ],
      version: 'v1',
      providers: [{ id: 'work', name: 'The <work> one', protocol: 'oidc', source: 'groups' }],
      groups: [{ id: GROUP, name: 'Engineers' }],
      members_provisioned: true,
    });
    expect(listing).toMatchObject([{ accountId: ACCOUNT, domains: ['school.test', 'work.test', 'plain.test'] }]);
  });

  it('are set in their order; a rule that is there already may keep a provider that has gone', async () => {
    const set = await call('PUT', { rules: [rule('work', ' eng '), rule('gone', 'old')], version: 'v1' });
    expect([set.status, set.json.msg]).toEqual([200, 'Group rules successfully set']);
    expect(setting).toMatchObject([
      {
        accountId: ACCOUNT,
        version: 'v1',
        rules: [
          { provider: 'work', value: 'eng', groupId: GROUP },
          { provider: 'gone', value: 'old' },
        ],
      },
    ]);
  });

  it.each([
    ['a provider of other accounts', [rule('school')], 'rules.0.provider'],
    ['a provider that is not there', [rule('work'), rule('gone')], 'rules.1.provider'],
    ['another group with a provider that has gone', [{ ...rule('gone', 'old'), group: OTHER }], 'rules.0.provider'],
    ['an empty value', [rule('work', ' ')], 'rules.0.value'],
    ['too many', many(201).map((value) => rule('work', value)), 'rules'],
  ])('are not set for %s', async (_what, rules, field) => {
    const refused = await call('PUT', { rules });
    expect([refused.status, refused.json.errors[0].field]).toEqual([400, field]);
    expect(setting).toEqual([]);
  });
});
