import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ENTRA_FLAGS } from '@warren/infra/scim/entra.flags';
import { ENTRA_GROUPS } from '@warren/infra/scim/entra.groups';
import { ENTRA_USERS } from '@warren/infra/scim/entra.users';
import { OKTA } from '@warren/infra/scim/okta';
import { OKTA_CHECKS } from '@warren/infra/scim/okta.checks';
import { GROUP_SCHEMA, isFilled, LIST_SCHEMA, play, USER_SCHEMA, type Trace } from '@warren/infra/scim/trace';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { newApiToken } from '@warren/platform/secrets/api.token';
import { Role } from '@warren/proto/common/v1/common';
import { ScimService } from '@warren/proto/tenancy/v1/scim';
import { person, TestGateway, type Answer, type Person } from './gateway.ts';
import { ENTRA_CALLS, OKTA_CALLS, OUR_CALLS } from './scim.calls.ts';
import { scimTenancy, TOKEN } from './scim.gateway.ts';
import { HOSTILE } from './scim.hostile.ts';
import { OURS } from './scim.ours.ts';
import { GROUP, groups, USER, users } from './scim.paths.ts';

const SECRET = newApiToken();
const REFUSALS = 20;
const SCIM = 'application/scim+json';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

let gateway: TestGateway;
let owner: Person;
/** What tenancy was asked for, without the token. */
let calls: [string, object][];
/** What tenancy refuses the next call with. */
let refusal: Fault | undefined;

beforeAll(async () => {
  gateway = await TestGateway.start({ RATE_LIMITS: `token=1000,token-refused=${REFUSALS}` });
  // Both count refusals of one address, and may follow each other in a worker.
  await gateway.redis.flushdb();
  owner = gateway.signIn(person('owner', Role.OWNER));
  const note = (method: string, { tokenId, ...request }: Record<string, unknown>) => {
    expect(tokenId).toBe(TOKEN);
    calls.push([method, request]);
    if (refusal) throw refusal;
  };
  gateway.services.serve(ScimService, scimTenancy(SECRET, note));
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  calls = [];
  refusal = undefined;
});

/** A request of an identity provider, which comes from no page of the hub. */
function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const own = { authorization: `Bearer ${SECRET}`, origin: 'https://idp.test', 'content-type': SCIM };
  return gateway.call(method, path, { headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) });
}
const user = (more: object = {}) => ({ schemas: [USER_SCHEMA], userName: 'Ann.Lee@acme.test', ...more });

/** Sends a request of a trace. Its answer has the calls of tenancy. */
async function replayed(method: string, path: string, body?: object, authorization?: string) {
  calls = [];
  const { pathname, search } = new URL(`http://hub.test/scim/v2${path}`);
  const answer = await send(method, `${pathname}${search}`, body, authorization ? { authorization } : {});
  return { ...answer, calls };
}

describe.each([
  ['Entra ID', [...ENTRA_USERS, ...ENTRA_GROUPS, ...ENTRA_FLAGS], ENTRA_CALLS],
  ['Okta', [...OKTA, ...OKTA_CHECKS], OKTA_CALLS],
  ['another client', OURS, OUR_CALLS],
])('%s', (_client, traces, expected) => {
  it.each<Trace>([...traces])('$what', async (published) => {
    const { trace, answer, after, translated } = await play(replayed, published, 'acme.test');
    const { headers, ...response } = answer;
    expect(trace.status).toContain(response.status);
    expect(response.calls).toEqual(translated(expected[trace.what]));
    for (const { expected: left, answer: read } of after)
      if (typeof left === 'number') expect(read.status).toBe(left);
      else expect(read.json).toMatchObject(left);
    if (response.status === 204) return expect(response.text).toBe('');
    expect(headers['content-type']).toMatch(/^application\/scim\+json/);
    expect(response.json).toMatchObject(trace.answer ?? {});
    expect(trace.filled?.filter((path) => !isFilled(response.json, path)) ?? []).toEqual([]);
    if (response.status === 201) expect(headers.location).toBe(response.json.meta.location);
    if (trace.path.includes('excludedAttributes=members')) expect(response.text).not.toContain('"members"');
    if (!response.json.schemas.includes(LIST_SCHEMA)) return;
    const { totalResults, startIndex, itemsPerPage } = response.json;
    expect([totalResults, startIndex, itemsPerPage].every(Number.isInteger)).toBe(true);
  });
});

describe('an answer', () => {
  it('has a resource as the RFC describes it', async () => {
    const { json } = await send('GET', `${users}/${USER}`);
    expect(json).toEqual({
      schemas: [USER_SCHEMA],
      id: USER,
      externalId: 'ann.lee',
      userName: 'Ann.Lee@acme.test',
      displayName: 'Ann Lee',
      name: { formatted: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' },
      emails: [{ value: 'ann.lee@acme.test', type: 'work', primary: true }],
      active: true,
      groups: [{ value: GROUP, display: 'Field team', type: 'direct' }],
      meta: {
        resourceType: 'User',
        created: '2026-03-04T10:00:00.000Z',
        location: `http://hub.test${users}/${USER}`,
      },
    });
    const group = await send('GET', `${groups}/${GROUP}`);
    expect(group.json).toMatchObject({ schemas: [GROUP_SCHEMA], members: [{ value: USER, display: 'Ann Lee' }] });
  });

  it.each(['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/User', 'Schemas', `Schemas/${GROUP_SCHEMA}`])(
    'describes %s',
    async (path) => {
      const answer = await send('GET', `/scim/v2/${path}`);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining(SCIM)]);
      expect(answer.json.schemas[0]).toMatch(/^urn:ietf:params:scim:/);
    },
  );

  it('takes plain JSON, ignores case, and bounds a page', async () => {
    const body = { SCHEMAS: [USER_SCHEMA.toUpperCase()], USERNAME: 'Bob.Ray@acme.test', Active: 'FALSE' };
    expect((await send('POST', users, body, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(201);
    expect((await send('GET', `${users}?startIndex=-5&count=100000`)).status).toBe(200);
    expect((await send('GET', `${users}?count=-1`)).json).toMatchObject({ startIndex: 1 });
    expect(calls).toEqual([
      ['createScimUser', { userName: 'Bob.Ray@acme.test', active: false }],
      ['listScimUsers', { limit: 100 }],
      ['listScimUsers', {}],
    ]);
  });

  it.each([
    [new Fault('already_exists', 'a user with this user name exists.'), 409, 'uniqueness'],
    [new Fault('failed_precondition', 'the address stays.'), 400, 'mutability'],
    [new Fault('quota_reached', 'the account is full.'), 403, undefined],
    [new Fault('permission_denied', 'an Owner.'), 403, undefined],
    [new Fault('not_found', 'user x.'), 404, undefined],
    [invalidInput({ field: 'members', message: 'expected ids.' }), 400, 'invalidValue'],
    [new Fault('unavailable', 'tenancy on 10.0.0.1 is down.'), 503, undefined],
    [new Fault('internal', 'the password is hunter2.'), 500, undefined],
  ])('of a refusal %s is a SCIM error', async (fault, status, scimType) => {
    refusal = fault;
    const { json, headers, ...answer } = await send('PUT', `${users}/${USER}`, user());
    expect(answer.status).toBe(status);
    expect(headers['content-type']).toContain(SCIM);
    expect(json).toEqual({
      schemas: [ERROR],
      status: String(status),
      ...(scimType ? { scimType } : {}),
      detail: expect.any(String),
    });
    if (status >= 500) expect(json.detail).not.toMatch(/hunter2|10\.0/);
    if (scimType === 'invalidValue') expect(json.detail).toBe('members: expected ids.');
  });
});

describe('what an attacker sends', () => {
  it.each(HOSTILE.map((row) => [row[0], row] as const))('%s is refused', async (_what, row) => {
    const [, method, path, body, status, scimType] = row;
    const before = process.threadCpuUsage();
    const answer = await send(method, path, body, { accept: 'text/html' });
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
    expect(answer.json).toMatchObject({ schemas: [ERROR], status: String(status) });
    expect([answer.status, answer.json.scimType]).toEqual([status, scimType]);
    expect(calls.filter(([name]) => !name.startsWith('list'))).toEqual([]);
  });

  it('as attributes of the prototype changes nothing else', async () => {
    const body = `{"schemas":["${USER_SCHEMA}"],"userName":"a@acme.test","__proto__":{"active":false},"constructor":{"x":1}}`;
    expect((await send('POST', users, body)).status).toBe(201);
    expect(calls).toEqual([['createScimUser', { userName: 'a@acme.test' }]]);
    expect(({} as { active?: boolean }).active).toBeUndefined();
  });

  it('opens nothing without a SCIM token: neither a session nor an API token', async () => {
    const without = await gateway.get(users, owner);
    expect([without.status, without.headers['www-authenticate']]).toEqual([401, 'Bearer realm="Warren"']);
    expect(without.json).toMatchObject({ schemas: [ERROR], status: '401' });
    const both = await send('GET', users, undefined, { cookie: owner.cookie });
    expect([both.status, both.headers['www-authenticate']]).toEqual([400, expect.stringContaining('invalid_request')]);
    for (const secret of [newApiToken(), 'x', '']) {
      const answer = await send('GET', users, undefined, { authorization: `Bearer ${secret}` });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('invalid_token'),
      ]);
      expect(answer.json.detail).toBe('SCIM token: it is unknown, expired or revoked.');
    }
    expect(calls).toEqual([]);
  });

  it('are guesses of tokens, which are limited by address', async () => {
    const guess = () => send('GET', users, undefined, { authorization: `Bearer ${newApiToken()}` });
    const statuses = [];
    for (let count = 0; count <= REFUSALS; count++) statuses.push((await guess()).status);
    expect(statuses.at(-1)).toBe(429);
    const limited = await guess();
    expect(limited.json).toMatchObject({ schemas: [ERROR], status: '429' });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });
});
