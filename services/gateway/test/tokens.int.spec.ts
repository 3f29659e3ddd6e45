import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { ACTIONS, isAction } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { newApiToken } from '@warren/platform/secrets/api.token';
import { Role } from '@warren/proto/common/v1/common';
import { BulkService } from '@warren/proto/devices/v1/bulk';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { TOKEN_RULES, WITHOUT_TOKEN } from '../src/auth/tokens/token.permissions.ts';
import { tokenRequests } from '../src/http/metrics.ts';
import { DocsService } from '../src/openapi/docs.service.ts';
import { ACCOUNT, DEVICE, device, person, shownTo, TestGateway, type Person } from './gateway.ts';

const LIMIT = 30;
const REFUSALS = 5;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const OTHER_DEVICE = DEVICE.replace(/1$/, '2');

let gateway: TestGateway;
let owner: Person;
/** Calls that reached the devices service, with the caller's token. */
let asked: { what: string; permissions: string[] | undefined; filter: string | undefined }[];
let lookUps: number;
const tokens = new Map<string, { id: string; permissions: string[]; filter: string }>();

beforeAll(async () => {
  gateway = await TestGateway.start({ RATE_LIMITS: `token=${LIMIT},token-refused=${REFUSALS}` });
  // Both count refusals of one address, and may follow each other in a worker.
  await gateway.redis.flushdb();
  owner = gateway.signIn(person('owner', Role.OWNER));
  gateway.services.serve(TokensService, {
    verifyToken: async (_caller, { secret }) => {
      lookUps++;
      const token = tokens.get(secret);
      if (!token) throw new Fault('unauthenticated', 'the API token is unknown.');
      const verified = { token, userId: String(owner.member.user?.['id']), accountId: ACCOUNT };
      return { session: { id: `hash-${token.id}`, saml: { email: 'owner@hub.test' }, token: verified } };
    },
  });
  const note = (what: string, caller: Caller) => {
    const { token } = requireUser(caller);
    asked.push({ what, permissions: token?.permissions, filter: token?.filter });
  };
  gateway.services.serve(DevicesService, {
    listDevices: async (caller) => (note('list', caller), { devices: [device()], total: 1 }),
    getDevice: async (caller, { id }) => {
      note(`get ${id}`, caller);
      if (id !== DEVICE) throw new Fault('not_found', `device ${id}.`);
      return shownTo(caller);
    },
  });
  gateway.services.serve(BulkService, { listBulkJobs: async (caller) => (note('jobs', caller), { jobs: [] }) });
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  asked = [];
  lookUps = 0;
});

let made = 0;
function bearer(permissions: string[], filter = ''): { authorization: string } {
  const secret = newApiToken();
  tokens.set(secret, { id: `t${++made}-${Date.now()}`, permissions, filter });
  return { authorization: `Bearer ${secret}` };
}
const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  gateway.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
const challenge = { request: 'error="invalid_request"', token: 'error="invalid_token"' };

describe('the operations of the API', () => {
  it('are all either for tokens, with permissions of the policy, or not, with a reason', () => {
    const { document } = gateway.app.get(DocsService);
    const operations = Object.values(document.paths).flatMap((item) => METHODS.map((method) => item[method]));
    const described = operations.flatMap((one) => one?.operationId ?? []).sort();
    expect([...Object.keys(TOKEN_RULES), ...Object.keys(WITHOUT_TOKEN)].sort()).toEqual(described);
    expect(
      Object.values(TOKEN_RULES).flatMap(({ permissions }) => permissions.filter((one) => !isAction(one))),
    ).toEqual([]);
    const named = operations.filter((one) => TOKEN_RULES[one?.operationId ?? '']?.devices === 'named');
    expect(named.filter((one) => !one?.parameters?.some((field) => 'name' in field && field.name === 'id'))).toEqual(
      [],
    );
  });

  it('say in the document how they are authorised', () => {
    const { document } = gateway.app.get(DocsService);
    expect(document.openapi).toBe('3.1.1');
    expect(document.components?.securitySchemes?.['token']).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(document.paths['/api/devices/{id}/reboot']?.post).toMatchObject({
      security: [{ token: ['devices.read', 'devices.manage'] }, { session: [] }],
      description: expect.stringContaining('API token: `devices.read`, `devices.manage`.'),
    });
    expect(document.paths['/api/sessions']?.get?.security).toEqual([{ session: [] }]);
    expect(document.paths['/agent/enrol']?.post?.security).toEqual([]);
    const { responses } = document.paths['/api/devices']?.get ?? {};
    expect(responses?.['429']).toMatchObject({
      headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' }, RateLimit: expect.anything() },
    });
  });
});

describe('a request with an API token', () => {
  it('does what the token may, and tells the services of it, with a rate that is left', async () => {
    const answer = await call('GET', '/api/devices', bearer(['devices.read']));
    expect([answer.status, answer.json.total]).toEqual([200, 1]);
    expect(asked).toEqual([{ what: 'list', permissions: ['devices.read'], filter: '' }]);
    expect(answer.headers['ratelimit-policy']).toBe(`"token";q=${LIMIT};w=60`);
    expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"token";r=${LIMIT - 1};t=\\d+$`));
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is refused where the token lacks a permission, which the answer names', async () => {
    const answer = await call('POST', `/api/devices/${DEVICE}/reboot`, bearer(['devices.read']), {});
    expect([answer.status, answer.json.code]).toEqual([403, 'permission_denied']);
    expect(answer.json.message).toBe('API token: it lacks devices.manage.');
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="Warren", error="insufficient_scope", scope="devices.read devices.manage"',
    );
    expect(asked).toEqual([]);
  });

  it('is refused where no token may, with the reason', async () => {
    const all = bearer(Object.values(TOKEN_RULES).flatMap(({ permissions }) => [...permissions]));
    for (const [method, path] of [
      ['GET', '/api/sessions'],
      ['POST', '/api/profile/tokens'],
    ] as const) {
      const { status, json } = await call(method, path, all, method === 'POST' ? {} : undefined);
      expect([status, json.message]).toEqual([403, expect.stringContaining('no token may do this: ')]);
    }
  });

  it('for some devices reads and opens those alone', async () => {
    const north = bearer(['devices.open', 'devices.read'], 'site=north');
    expect((await call('GET', '/api/devices', north)).status).toBe(200);
    expect(asked).toEqual([{ what: 'list', permissions: ['devices.open', 'devices.read'], filter: 'site=north' }]);
    await gateway.link(DEVICE);
    const opened = await call('GET', `/api/get-socket-token/${DEVICE}`, north);
    expect([opened.status, gateway.tokenSessions.at(-1)]).toEqual([200, north.authorization.slice(7)]);
    expect((await call('GET', `/api/get-socket-token/${OTHER_DEVICE}`, north)).status).toBe(404);
    for (const path of ['/api/devices/bulk', '/api/activity', '/api/events'])
      expect([path, (await call('GET', path, north)).status]).toEqual([path, 403]);
  });

  it('for some devices is refused wherever its operation does not hold it to those, before a service is asked', async () => {
    const { document } = gateway.app.get(DocsService);
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const id = item[method]?.operationId ?? '';
        return TOKEN_RULES[id]
          ? [{ id, method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, OTHER_DEVICE) }]
          : [];
      }),
    );
    expect(operations).toHaveLength(Object.keys(TOKEN_RULES).length);
    const calls: string[] = [];
    const { call: ask } = gateway.services;
    gateway.services.call = (method, ...request) => (calls.push(method.name), ask(method, ...request));
    // Were a token to have more than those that it can be created with.
    const every = () => bearer([...ACTIONS], 'site=north');
    try {
      for (const { id, method, path } of operations) {
        const { devices } = TOKEN_RULES[id] ?? {};
        if (devices === 'listed') continue;
        calls.length = 0;
        const answer = await call(method, path, every(), method === 'GET' ? undefined : {});
        const asked = calls.filter((name) => !['VerifyToken', 'ResolveMember'].includes(name));
        expect([id, answer.status, asked]).toEqual(devices === 'named' ? [id, 404, ['GetDevice']] : [id, 403, []]);
      }
    } finally {
      gateway.services.call = ask;
    }
    const listed = operations.filter(({ id }) => TOKEN_RULES[id]?.devices === 'listed').map(({ id }) => id);
    // Each service that these ask holds what it lists to the filter (services/devices/test/filters.int.spec.ts); the last two are about the token.
    expect(listed.sort()).toEqual([
      'getDeviceByAddress',
      'getDeviceBySerial',
      'getHome',
      'getOverview',
      'getSession',
      'getWorkspace',
      'listDevices',
      'listOwnTokens',
      'revokeOwnToken',
    ]);
  });

  it('tells what the token may do as the session', async () => {
    const { json } = await call('GET', '/auth/saml/getsession', bearer(['devices.read', 'accounts.manage']));
    expect(json).toMatchObject({ email: 'owner@hub.test', permissions: ['devices.read'] });
  });

  it('is refused beside a cookie, and without a token that is in force', async () => {
    const both = await call('GET', '/api/devices', { ...bearer(['devices.read']), cookie: owner.cookie });
    expect([both.status, both.json.code]).toEqual([400, 'invalid_argument']);
    expect(both.headers['www-authenticate']).toContain(challenge.request);
    const unknown = await call('GET', '/api/devices', { authorization: `Bearer ${newApiToken()}` });
    expect([unknown.status, unknown.json.code]).toEqual([401, 'unauthenticated']);
    expect(unknown.headers['www-authenticate']).toContain(challenge.token);
    const none = await gateway.get('/api/devices');
    expect([none.status, none.headers['www-authenticate']]).toEqual([401, 'Bearer realm="Warren"']);
    expect(lookUps).toBe(1);
  });
});

describe('the limits of tokens', () => {
  it('stop one that calls too often, and no other one', async () => {
    const [busy, quiet] = [bearer(['devices.read']), bearer(['devices.read'])];
    const answers = [];
    for (let n = 0; n <= LIMIT; n++) answers.push(await call('GET', '/api/devices', busy));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(LIMIT).fill(200), 429]);
    const last = answers.at(-1);
    expect(last?.headers['ratelimit']).toMatch(/^"token";r=0;t=\d+$/);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call('GET', '/api/devices', quiet)).status).toBe(200);
    // Each was looked up: the test's identity keeps no sessions in Redis.
    expect(lookUps).toBe(LIMIT + 2);
  });

  it('stop an address whose tokens are refused, before they are looked up', async () => {
    await gateway.redis.flushdb();
    for (let n = 0; n < REFUSALS; n++)
      expect((await call('GET', '/api/devices', { authorization: `Bearer ${newApiToken()}` })).status).toBe(401);
    lookUps = 0;
    const answer = await call('GET', '/api/devices', { authorization: `Bearer ${newApiToken()}` });
    expect([answer.status, answer.json.code, lookUps]).toEqual([429, 'resource_exhausted', 0]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call('GET', '/api/devices', { authorization: 'Bearer nonsense' })).status).toBe(429);
    expect((await gateway.get('/api/devices', owner)).status).toBe(200);
  });

  it('are counted by outcome', async () => {
    const { values } = (await tokenRequests.get()) as { values: { value: number; labels: { outcome?: string } }[] };
    const seen = values.filter(({ value }) => value > 0).map(({ labels }) => labels.outcome);
    expect(seen).toEqual(['served', 'invalid', 'refused', 'forbidden', 'limited']);
  });
});
