import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { Role } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { ACCOUNT, person, TestGateway } from './gateway.ts';

const superAdmin = person('root', Role.SUPER_ADMIN, { operator: true });
const PATH = `/api/accounts/${ACCOUNT}/quotas`;

describe('quotas over REST', () => {
  let gateway: TestGateway;
  let changes: unknown[];
  let fails: Fault | undefined;
  let silent = false;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    gateway.signIn(superAdmin);
    const quotas = [
      { name: 'devices', limit: 5n, defaultLimit: 10_000n, own: true },
      { name: 'users', own: false, used: 3n },
      { name: 'sessions', limit: 9n, defaultLimit: 9n, own: false },
      { name: 'sockets', limit: 9n, defaultLimit: 9n, own: false },
      { name: 'api_calls', limit: 90n, defaultLimit: 90n, own: false },
      { name: 'of-a-later-version', limit: 1n, own: false },
    ];
    gateway.services.serve(TenancyService, {
      resolveMember: async () => superAdmin.member as object,
      getQuotas: async () => {
        if (fails) throw fails;
        return { quotas };
      },
      setQuotas: async (_caller: unknown, request: { changes: readonly object[] }) => {
        if (fails) throw fails;
        changes = request.changes.map(({ ...change }) => change);
        return { quotas };
      },
    });
    gateway.services.serve(DevicesService, { getDeviceCounts: async () => ({ total: 4, connected: 1 }) });
    gateway.identity.countSessions = async () => {
      if (silent) throw new Fault('unavailable', 'Identity is away.');
      return { sessions: 6 };
    };
    const now = Date.now();
    await gateway.redis.hset(`tunnels:sockets:${ACCOUNT}`, { one: `2 ${now + 60_000}`, dead: `5 ${now - 1}` });
  });
  afterAll(async () => {
    await gateway?.redis.del(`tunnels:sockets:${ACCOUNT}`);
    await gateway?.stop();
  });

  beforeEach(() => {
    changes = [];
    fails = undefined;
  });

  const patch = (body: unknown) => gateway.call('PATCH', PATH, { as: superAdmin, body });

  it('shows limits, where they come from and how much is used', async () => {
    const { status, json } = await gateway.call('GET', PATH, { as: superAdmin });
    expect(status).toBe(200);
    expect(json.result.quotas).toEqual([
      { name: 'devices', limit: 5, used: 4, source: 'own', default: 10_000 },
      { name: 'users', limit: null, used: 3, source: 'default', default: null },
      { name: 'sessions', limit: 9, used: 6, source: 'default', default: 9 },
      { name: 'sockets', limit: 9, used: 2, source: 'default', default: 9 },
      { name: 'api_calls', limit: 90, used: 0, source: 'default', default: 90 },
    ]);
  });

  it('omits what is unavailable now', async () => {
    silent = true;
    const { json } = await gateway.call('GET', PATH, { as: superAdmin });
    silent = false;
    const used = Object.fromEntries(
      (json.result.quotas as { name: string; used: unknown }[]).map((one) => [one.name, one.used]),
    );
    expect(used).toMatchObject({ sessions: null, devices: 4 });
  });

  it('sets those that are named', async () => {
    const { status, json } = await patch({ devices: 500, users: 'unlimited', sockets: 'default' });
    expect([status, json.msg, json.result.quotas.length]).toEqual([200, 'quotas successfully changed', 5]);
    expect(changes).toEqual([
      expect.objectContaining({ name: 'devices', to: { case: 'limit', value: 500n } }),
      expect.objectContaining({ name: 'users', to: { case: 'unlimited', value: true } }),
      expect.objectContaining({ name: 'sockets', to: { case: 'default', value: true } }),
    ]);
  });

  it.each([
    [{ devices: -1 }, 'devices', 'expected a whole number from 0 to 1000000, unlimited or default'],
    [{ users: 1.5 }, 'users', 'expected a whole number from 1 to 1000000, unlimited or default'],
    [{ users: null }, 'users', 'expected a whole number from 1 to 1000000, unlimited or default'],
    [{ users: '7' }, 'users', 'expected a whole number from 1 to 1000000, unlimited or default'],
    [{ bandwidth: 7 }, 'body', 'expected devices, users, sessions, sockets, api_calls, traffic'],
  ])('refuses %j by name, with what is expected', async (body, field, message) => {
    const { status, json } = await patch(body);
    expect([status, json.errors[0]]).toEqual([400, expect.objectContaining({ field, message })]);
    expect(changes).toEqual([]);
  });

  it('reports an exceeded quota by its code', async () => {
    fails = new Fault('quota_reached', 'This account may have 3 devices.');
    const { status, json } = await patch({ devices: 3 });
    expect([status, json.code, json.message]).toEqual([409, 'quota_reached', `Quota reached: ${fails.message}`]);
  });
});
