import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@warren/infra/ports';
import { until } from '@warren/infra/until';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { Lease } from '../src/broker/lease.ts';
import { Links } from '../src/links/links.ts';
import { OtherReplicas } from '../src/links/other.replicas.ts';
import { HUB, type FakeAgent, type TestDevice } from './fake.agent.ts';
import { World, type Browser } from './world.ts';

const LIVES_MS = 60_000;
/** Sockets that are let in while their token is asked about. */
const MOST_UNPROVEN = 64;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  socket?: Socket;
}

describe('a socket that comes by no gateway', () => {
  let here: World;
  let there: World;
  const raw: Socket[] = [];
  const spies: { mockRestore(): void }[] = [];

  beforeAll(async () => {
    const { TEST_REDIS_URL: redis = '', TEST_NATS_URL: nats = '' } = process.env;
    here = await World.start({ redis, nats });
    there = await World.start({ redis, nats, neighbours: here.neighbours });
  });
  afterEach(() => {
    // Not all mocks: the agents' stay.
    for (const undo of spies.splice(0)) undo.mockRestore();
    for (const socket of raw.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await here?.stop();
    await there?.stop();
  });

  const linked = async (world: World): Promise<{ device: TestDevice; agent: FakeAgent }> => {
    const device = here.neighbours.device();
    const agent = await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };
  const register = async (browser: Browser) => {
    browser.socket.emit('register', { cols: 80, rows: 24 });
    await until(() => browser.heard('register_status') !== undefined);
    return browser.heard('register_status');
  };
  const works = async (browser: Browser, agent: FakeAgent) => {
    expect(await register(browser)).toMatchObject({ success: true });
    browser.socket.emit('input', { input: 'typed' });
    await until(() => agent.last().typed() === 'typed');
    await agent.last().print('printed');
    await until(() => browser.text() === 'printed');
  };
  /** Only asks for the upgrade. */
  const upgrade = (world: World, query: Record<string, string>, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const path = `/socketsio/?${new URLSearchParams({ EIO: '4', transport: 'websocket', ...query }).toString()}`;
      const key = randomBytes(16).toString('base64');
      const protocol = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': key };
      const sent = { Connection: 'Upgrade', Upgrade: 'websocket', ...protocol, ...headers };
      const asked = request(`${world.url}${path}`, { headers: sent, agent: false });
      asked.on('upgrade', ({ statusCode = 0, headers }, socket) => {
        raw.push((socket as Socket).on('error', () => {}));
        resolve({ status: statusCode, headers, socket: socket as Socket });
      });
      asked.on('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      asked.on('error', reject).end();
    });
  const tokenOf = (device: TestDevice, userId = uuidv7()) => ({
    token: here.neighbours.token(device.id, userId, device.accountId),
    UserID: userId,
    kind: 'terminal',
  });

  it.each([
    ['and names it', 'terminal', undefined],
    ['and names it, not saying what the socket is for', undefined, undefined],
    ['and names none', 'terminal', ''],
    ['and names what is no device', 'terminal', 'bench-pi'],
  ])('is served where its device is linked, %s', async (_, kind, hint) => {
    const { device, agent } = await linked(here);
    const before = here.neighbours.peeked.length;
    const given = { ...(kind !== undefined && { kind }), ...(hint !== undefined && { hint }) };
    await works(here.browser(device.id, given), agent);
    // Identity is asked for the device only without a hint.
    expect(here.neighbours.peeked.length - before).toBe(hint === undefined ? 0 : 1);
  });

  it.each([
    ['and names it', undefined],
    ['and names none', ''],
  ])('is brought to the replica that its device is linked with, %s', async (_, hint) => {
    const { device, agent } = await linked(there);
    const before = here.neighbours.peeked.length;
    const browser = here.browser(device.id, { kind: 'terminal', ...(hint !== undefined && { hint }) });
    await works(browser, agent);
    expect(here.app.get(OtherReplicas).passed).toBe(1);
    expect(there.app.get(OtherReplicas).passed).toBe(0);
    // The other replica receives the result.
    expect(here.neighbours.peeked.length - before).toBe(hint === undefined ? 0 : 1);
    browser.socket.disconnect();
    await until(() => here.app.get(OtherReplicas).passed === 0);
  });

  it('opens nothing on a device that it names wrongly, and nothing on its own that is not there', async () => {
    const [mine, other, far] = [await linked(here), await linked(here), await linked(there)];
    // The hint names a device that is linked here, at the other replica, or nowhere; the token is for another one.
    for (const [own, hint] of [
      [far, mine.device.id],
      [mine, far.device.id],
    ] as const) {
      const browser = here.browser(own.device.id, { kind: 'terminal', hint });
      expect(await register(browser)).toMatchObject({ success: false, code: 'not_connected' });
    }
    const browser = here.browser(mine.device.id, { kind: 'terminal', hint: uuidv7() });
    expect(await register(browser)).toMatchObject({ success: true });
    expect([mine, other, far].map(({ agent }) => agent.terminals.length)).toEqual([1, 0, 0]);
  });

  it('gets no more by headers that only replicas send', async () => {
    const [mine, far] = [await linked(here), await linked(there)];
    const named = (id: string) => ({ 'Warren-Device': id });
    const passed = { 'Warren-Passed': '1' };
    for (const headers of [{ ...named(far.device.id), ...passed }, passed]) {
      // Not passed on, and nothing is opened.
      expect(await upgrade(here, { ...tokenOf(far.device), device: far.device.id }, headers)).toMatchObject({
        status: 421,
      });
    }
    const browser = here.browser(far.device.id, { kind: 'terminal', headers: named(mine.device.id) });
    expect(await register(browser)).toMatchObject({ success: false, code: 'not_connected' });
    await works(here.browser(mine.device.id, { kind: 'terminal', headers: passed }), mine.agent);
    expect([mine.agent.terminals.length, far.agent.terminals.length]).toEqual([1, 0]);
  });

  it('is refused without a token, with a bad one, and from another origin', async () => {
    const { device } = await linked(here);
    const bad = { token: 'never-given-to-anybody', UserID: 'u' };
    expect(await upgrade(here, {})).toMatchObject({ status: 401 });
    expect(await upgrade(here, bad)).toMatchObject({ status: 401 });
    const foreign = { Origin: 'https://elsewhere.example' };
    expect(await upgrade(here, { ...tokenOf(device), device: device.id }, foreign)).toMatchObject({ status: 403 });
    const refused = here.browser(device.id, { kind: 'terminal', token: bad.token });
    await until(() => refused.heard('connect_error') !== undefined);
    expect(refused.heard('connect_error')).toMatchObject({ code: 'permission_denied' });
    const plain = await fetch(`${here.url}/socketsio/?EIO=4&transport=polling`);
    expect([plain.status, await plain.json()]).toMatchObject([426, { code: 'upgrade_required' }]);
  });

  it.each<Record<string, string>>([{ kind: 'terminal' }, {}])('keeps its room from bad tokens: %j', async (kind) => {
    const { device, agent } = await linked(here);
    const bad = () => upgrade(here, { token: uuidv7(), UserID: 'u', device: device.id, ...kind });
    for (let index = 0; index < MOST_UNPROVEN; index++) expect(await bad()).toMatchObject({ status: 101 });
    expect((await bad()).socket).toBeUndefined();
    await works(here.browser(device.id, kind), agent);
    for (const socket of raw.splice(0)) socket.destroy();
    await until(async () => (await bad()).status === 101);
  });

  it('goes where its device has moved meanwhile', async () => {
    const { device, agent } = await linked(there);
    const redis = here.app.get(RedisLink).client;
    const key = `device:${device.id}`;
    const truth = await redis.hgetall(key);
    const headers: IncomingHttpHeaders[] = [];
    const left = createServer().on('upgrade', async (asked: IncomingMessage, socket) => {
      headers.push(asked.headers);
      await redis.hset(key, truth);
      socket.end('HTTP/1.1 421 Misdirected Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
    await once(left.listen(0, '127.0.0.1'), 'listening');
    const gone = await replica('has-let-go', `http://127.0.0.1:${(left.address() as AddressInfo).port}`);
    try {
      await redis.hset(key, { replica: 'has-let-go' });
      const sent = { Cookie: 'warren=secret', 'X-Forwarded-For': '203.0.113.9', 'X-Real-IP': '6.6.6.6', Origin: HUB };
      await works(here.browser(device.id, { kind: 'terminal', headers: sent }), agent);
      expect(headers).toHaveLength(1);
      expect(headers[0]).toMatchObject({
        'warren-device': device.id,
        'warren-passed': '1',
        origin: HUB,
        'x-forwarded-for': '203.0.113.9',
      });
      for (const name of ['cookie', 'x-real-ip']) expect(headers[0]).not.toHaveProperty(name);
    } finally {
      await gone();
      left.close();
    }
  });

  it('may retry soon when that replica has just died, or its holder is unknown', async () => {
    const { device } = await linked(there);
    const redis = here.app.get(RedisLink).client;
    const gone = await replica('just-died', `http://127.0.0.1:${await freePort('127.0.0.1')}`);
    await redis.hset(`device:${device.id}`, { replica: 'just-died' });
    const dead = await upgrade(here, { ...tokenOf(device), device: device.id });
    await gone();
    spies.push(jest.spyOn(here.app.get(ReplicaDirectory), 'locate').mockRejectedValue(new Error('Redis is away')));
    const unknown = await upgrade(here, { ...tokenOf(device), device: device.id });
    for (const answer of [dead, unknown]) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
  });

  it('is still brought on by a replica that takes no sessions any more, which serves none itself', async () => {
    const [mine, far] = [await linked(here), await linked(there)];
    spies.push(jest.spyOn(here.app.get(Lease), 'serving', 'get').mockReturnValue(false));
    const refused = await upgrade(here, { ...tokenOf(mine.device), device: mine.device.id });
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    await works(here.browser(far.device.id, { kind: 'terminal' }), far.agent);
  });

  /** A replica of the directory alone; its undo. */
  async function replica(id: string, address: string): Promise<() => Promise<void>> {
    const redis = here.app.get(RedisLink).client;
    await redis.hset(`replica:${id}`, { address });
    await redis.zadd('warren:replicas', Date.now() + LIVES_MS, id);
    return async () => {
      await redis.zrem('warren:replicas', id);
      await redis.del(`replica:${id}`);
    };
  }
});
