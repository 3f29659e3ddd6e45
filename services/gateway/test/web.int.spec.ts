import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { BROKER, deviceKey, replicaKey } from '@warren/platform/broker/keys';
import { Role } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEVICE, device, HUB, OTHER_ACCOUNT, person, TestGateway, shownTo } from './gateway.ts';

const SLUG = 'raspberrypi-x7k2';
const HOST = `${SLUG}.devices.hub.test`;
const STATE = 'a'.repeat(64);
const member = person('member', Role.MEMBER);
const stranger = person('strang', Role.MEMBER, { account: OTHER_ACCOUNT });

describe('the web services of devices, at the gateway', () => {
  let gateway: TestGateway;
  let enabled: boolean;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    for (const who of [member, stranger]) gateway.signIn(who);
  });
  afterAll(() => gateway?.stop());

  beforeEach(() => {
    enabled = true;
    const found = async (caller: Caller) => shownTo(caller, device({ httpEnabled: enabled, httpAddress: HOST }));
    gateway.services.serve(DevicesService, {
      getDevice: found,
      getDeviceByAddress: async (caller, { slug }) => {
        if (slug !== SLUG) throw new Fault('not_found', 'Not found.');
        return found(caller);
      },
      findWebPage: async (_caller, { slug }) => {
        if (slug !== SLUG) throw new Fault('not_found', 'Not found.');
        return { deviceId: DEVICE };
      },
    });
  });

  const visit = (query: Record<string, string>) =>
    `/tunnel/open?${new URLSearchParams({ host: HOST, state: STATE, ...query })}`;

  it('leads a visit through the sign-in, and back to the device with a ticket', async () => {
    const path = visit({ path: '/a?b=c' });
    const first = await gateway.get(path);
    expect(first.status).toBe(303);
    const login = new URL(first.headers.location ?? '', HUB);
    expect([login.pathname, login.searchParams.get('RelayState')]).toEqual(['/auth/saml/login', path]);
    const second = await gateway.get(path, member);
    expect(second.status).toBe(303);
    const entry = new URL(second.headers.location ?? '');
    expect(`${entry.origin}${entry.pathname}`).toBe(`http://${HOST}/.warren/enter`);
    expect(entry.searchParams.get('to')).toBe('/a?b=c');
    expect(entry.searchParams.get('ticket')).toContain(`${DEVICE}/${SocketPurpose.WEB}/`);
  });

  it('shows an error page without the right, and redirects nowhere', async () => {
    expect(await gateway.get(visit({}), stranger)).toMatchObject({ status: 404 });
    expect(await gateway.get(visit({ host: 'other.devices.hub.test' }), member)).toMatchObject({ status: 404 });
    expect(await gateway.get(visit({ host: 'evil.test' }), member)).toMatchObject({ status: 404 });
    expect(await gateway.get(visit({ state: 'x' }), member)).toMatchObject({ status: 400 });
    const away = await gateway.get(visit({ path: '//evil.test' }), member);
    expect(new URL(away.headers.location ?? '').searchParams.get('to')).toBe('/');
    enabled = false;
    expect(await gateway.get(visit({}), member)).toMatchObject({ status: 409 });
  });

  it('refuses users of an account that has used up its traffic', async () => {
    const who = person('heavy', Role.OWNER);
    const quotas = { quotas: [{ name: 'traffic', limit: 5n, usedUp: true }] } as never;
    const heavy = gateway.signIn({ ...who, member: { ...who.member, quotas } });
    const refused = await gateway.get(visit({}), heavy);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('used up its traffic of this month');
  });

  it('gives a ticket for a frame, made for a secret of the page that shows it', async () => {
    const path = `/api/devices/${DEVICE}/web-address`;
    const body = { secret: 's'.repeat(43) };
    const { status, json } = await gateway.call('POST', path, { as: member, body });
    expect(status).toBe(200);
    expect(json.url).toBe(`http://${HOST}/.warren/enter`);
    expect(json.ticket).toContain(`${DEVICE}/${SocketPurpose.WEB}/`);
    expect(JSON.stringify(json)).not.toContain(body.secret);
    for (const secret of [undefined, '', 's'.repeat(42)])
      expect(await gateway.call('POST', path, { as: member, body: { secret } })).toMatchObject({ status: 400 });
    expect(await gateway.call('POST', path, { as: stranger, body })).toMatchObject({ status: 404 });
    enabled = false;
    expect(await gateway.call('POST', path, { as: member, body })).toMatchObject({ status: 409 });
    expect((await gateway.get(`/api/devices/address/${HOST}`, member)).json.result.id).toBe(DEVICE);
    expect(await gateway.get('/api/devices/address/x.evil.test', member)).toMatchObject({ status: 404 });
  });

  it('offers to delete too many cookies in a frame of the console too', async () => {
    const headers = { host: HOST, cookie: `a=${'x'.repeat(70_000)}` };
    const refused = await gateway.get('/', undefined, headers);
    expect(refused.status).toBe(431);
    expect(refused.headers['content-security-policy']).toContain(`frame-ancestors ${HUB}`);
  });

  describe('with a replica', () => {
    let replica: Server;
    const requests: IncomingMessage[] = [];

    beforeAll(async () => {
      replica = createServer((request, response) => {
        requests.push(request);
        request.pipe(response);
      });
      await new Promise<void>((resolve) => replica.listen(0, '127.0.0.1', resolve));
      const client = gateway.redis;
      const address = `http://127.0.0.1:${(replica.address() as AddressInfo).port}`;
      await client.zadd(BROKER.replicas, Date.now() + 60_000, 'web-test');
      await client.hset(replicaKey('web-test'), { address, load: '0', draining: '0' });
      await client.hset(deviceKey(DEVICE), { replica: 'web-test', connection: 'c', epoch: '1' });
    });
    afterAll(async () => {
      const client = gateway.redis;
      await client.zrem(BROKER.replicas, 'web-test');
      await client.del(replicaKey('web-test'), deviceKey(DEVICE));
      replica?.close();
      replica?.closeAllConnections();
    });

    it('passes requests on as they came, but for what clients claim', async () => {
      const headers = {
        host: HOST,
        'x-forwarded-for': '6.6.6.6',
        'warren-passed': '1',
        cookie: 'warren-web=x',
        origin: 'http://any',
      };
      const answer = await gateway.call('PATCH', '/path?query', { body: { a: 1 }, headers });
      expect(answer).toMatchObject({ status: 200, text: '{"a":1}' });
      const passed = requests.at(-1);
      expect(passed).toMatchObject({ method: 'PATCH', url: '/path?query' });
      expect(passed?.headers).toMatchObject({ host: HOST, cookie: 'warren-web=x', 'x-forwarded-for': '127.0.0.1' });
      expect(passed?.headers).not.toHaveProperty('warren-passed');
      expect(answer.headers).not.toHaveProperty('content-security-policy');
    });

    it('keeps other hosts for itself', async () => {
      const before = requests.length;
      expect(await gateway.get('/api/devices', undefined, { host: 'hub.test' })).toMatchObject({ status: 401 });
      expect(await gateway.get('/api/devices', undefined, { host: 'a.b.devices.hub.test' })).toMatchObject({
        status: 401,
      });
      expect(requests).toHaveLength(before);
    });
  });
});
