import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { BROKER, deviceKey } from '@warren/platform/broker/keys';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { AgentEndpoint } from '../src/links/agent.endpoint.ts';
import { Claims } from '../src/broker/claims.ts';
import { Links } from '../src/links/links.ts';
import { dialRaw, DialRefused, dialToken, newDevice, type TokenOptions } from './fake.agent.ts';
import { until } from '@warren/infra/until';
import { FRAME, frame, RawAgent } from './raw.agent.ts';
import { linksOf, World } from './world.ts';

/** Cuts the connections that listen in this file's database; others use the same server. */
async function breakSubscriptions(admin: Redis): Promise<void> {
  const clients = String(await admin.call('CLIENT', 'LIST', 'TYPE', 'pubsub')).split('\n');
  const here = clients.filter((client) => client.includes(` db=${admin.options.db ?? 0} `));
  for (const client of here) await admin.call('CLIENT', 'KILL', 'ID', /^id=(\d+)/.exec(client)?.[1] ?? '');
}

describe('the links of agents', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  const dial = async (token: string, headers: Record<string, string> = {}): Promise<number> => {
    try {
      const { socket } = await dialRaw(world.url, {
        Authorization: `Bearer ${token}`,
        'Warren-Agent-Version': '0.1.0',
        ...headers,
      });
      socket.destroy();
      return 101;
    } catch (error) {
      if (error instanceof DialRefused) return error.status;
      throw error;
    }
  };

  it('claim the device, announce it, pass its facts on, and announce its departure', async () => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    await until(() => world.presence(device.id).length > 0);
    expect(world.presence(device.id)[0]?.kind).toBe('came');
    const location = await world.app.get(ReplicaDirectory).locate(device.id);
    expect(location).toMatchObject({ address: world.url, connection: world.app.get(Links).get(device.id)?.id });
    await until(() => world.neighbours.reports.some(({ deviceId }) => deviceId === device.id));
    const report = world.neighbours.reports.find(({ deviceId }) => deviceId === device.id);
    expect(report).toMatchObject({ facts: { hostname: 'test-device' }, publicIp: '203.0.113.7' });
    expect(report?.facts?.clockOffset).toBeLessThan(-3_500);
    agent.kill();
    await until(() => world.presence(device.id).at(-1)?.kind === 'went');
    const [came, went] = world.presence(device.id).slice(-2);
    expect(went).toEqual({ kind: 'went', epoch: came?.epoch });
    expect(await world.app.get(ReplicaDirectory).locate(device.id)).toBeUndefined();
  });

  it('run in WebSocket frames as well', async () => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, { carrier: 'websocket' });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    const browser = world.browser(device.id);
    browser.socket.emit('register', { cols: 80, rows: 24, encoding: 'binary', acks: true });
    await until(() => browser.heard('register_status')?.['success'] === true);
    const bytes = Buffer.alloc(400_000, 'w');
    const printed = (async () => {
      for (let at = 0; at < bytes.length; at += 64_000) await agent.last().print(bytes.subarray(at, at + 64_000));
    })();
    await until(() => browser.bytes().length === bytes.length);
    await printed;
    agent.kill();
    await until(() => browser.heard('client_disconnect') !== undefined);
  });

  it('give way to a newer one, whose claim the late goodbye of the older does not touch', async () => {
    const device = world.neighbours.device();
    const first = await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    const older = world.app.get(Links).get(device.id);
    await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== older);
    await until(() => !first.alive);
    const newer = world.app.get(Links).get(device.id);
    expect(newer && older && newer.epoch > older.epoch).toBe(true);
    expect(await world.app.get(Claims).release(device.id, older?.id ?? '')).toBe(false);
    await until(() => world.presence(device.id).at(-1)?.epoch === newer?.epoch);
    // The older link is announced only if there was time to.
    expect(world.presence(device.id).filter(({ kind }) => kind !== 'came')).toEqual([]);
    expect(await world.app.get(ReplicaDirectory).locate(device.id)).toMatchObject({ connection: newer?.id });
  });

  it('give way to a newer one at another replica', async () => {
    const device = world.neighbours.device();
    const other = await World.start({
      redis: process.env['TEST_REDIS_URL'] ?? '',
      nats: process.env['TEST_NATS_URL'] ?? '',
      neighbours: world.neighbours,
    });
    try {
      const first = await world.agent(device);
      await until(() => world.app.get(Links).get(device.id) !== undefined);
      await other.agent(device);
      await until(() => other.app.get(Links).get(device.id) !== undefined);
      await until(() => world.app.get(Links).get(device.id) === undefined);
      await until(() => !first.alive);
      expect(await world.app.get(ReplicaDirectory).locate(device.id)).toMatchObject({ address: other.url });
    } finally {
      await other.stop();
    }
  });

  it('give way to a newer one whose claim was published while the bus was away', async () => {
    const device = world.neighbours.device();
    const first = await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    const admin = new Redis(process.env['TEST_REDIS_URL'] ?? '');
    try {
      // As another replica claims, but without its notice.
      const epoch = String((world.app.get(Links).get(device.id)?.epoch ?? 0n) + 1n);
      await admin.hset(deviceKey(device.id), { connection: randomUUID(), epoch });
      await breakSubscriptions(admin);
      await until(() => !first.alive);
      expect(world.app.get(Links).get(device.id)).toBeUndefined();
    } finally {
      admin.disconnect();
    }
  });

  it('give way to a newer one whose notice comes before the answer to their own claim', async () => {
    const device = world.neighbours.device();
    const claims = world.app.get(Claims);
    const claim = claims.claim.bind(claims);
    const admin = new Redis(process.env['TEST_REDIS_URL'] ?? '');
    const claiming = jest.spyOn(claims, 'claim').mockImplementationOnce(async (claimant) => {
      const epoch = await claim(claimant);
      const notice = jest.fn();
      claims.watch({ noticed: notice, missed: () => {} });
      await admin.publish(BROKER.claims, `${device.id} ${epoch + 1n} ${randomUUID()}`);
      await until(() => notice.mock.calls.length > 0);
      return epoch;
    });
    try {
      const agent = await world.agent(device);
      await until(() => !agent.alive);
      expect(world.app.get(Links).get(device.id)).toBeUndefined();
    } finally {
      claiming.mockRestore();
      admin.disconnect();
    }
  });

  it('are given up soon when a device falls silent after its goodbye', async () => {
    const device = world.neighbours.device();
    const agent = await RawAgent.dial(world.url, device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    await agent.stream(0);
    agent.socket.pause();
    await agent.send(frame(FRAME.goaway, 0, 0, Buffer.alloc(8)));
    await until(() => world.app.get(Links).get(device.id) === undefined).finally(() => agent.close());
  });

  it('move to another replica when theirs stops', async () => {
    const device = world.neighbours.device();
    const leaving = await World.start({
      redis: process.env['TEST_REDIS_URL'] ?? '',
      nats: process.env['TEST_NATS_URL'] ?? '',
      neighbours: world.neighbours,
    });
    const agent = await leaving.agent(device);
    await until(() => leaving.app.get(Links).get(device.id) !== undefined);
    const stopped = leaving.app.close();
    await until(() => agent.goneAway);
    await world.agent(device);
    await stopped;
    const directory = world.app.get(ReplicaDirectory);
    await until(async () => (await directory.locate(device.id))?.address === world.url);
    expect((await world.app.get(ReplicaDirectory).liveReplicas()).map(({ address }) => address)).not.toContain(
      leaving.url,
    );
  });

  it('are refused with a wrong, late, foreign, too long-lived or used token', async () => {
    const device = world.neighbours.device();
    const now = Math.floor(Date.now() / 1000);
    const wrong: [string, TokenOptions][] = [
      ['another audience', { audience: 'https://elsewhere.example' }],
      ['expired', { issued: now - 300 }],
      ['from the future', { issued: now + 300 }],
      ['an hour long', { life: 3600 }],
      ['signed by another key', { key: newDevice().privateKey }],
    ];
    for (const [why, options] of wrong) expect([why, await dial(await dialToken(device, options))]).toEqual([why, 401]);
    const once = await dialToken(device, { jti: randomUUID() });
    expect(await dial(once)).toBe(101);
    expect(await dial(once)).toBe(401);
  });

  it('are refused for an unknown device and for requests that are no dial', async () => {
    const device = world.neighbours.device();
    expect(await dial(await dialToken(newDevice()))).toBe(404);
    expect(await dial('rubbish')).toBe(401);
    expect(await dial(await dialToken(device), { 'Warren-Agent-Version': 'latest' })).toBe(400);
    expect(await dial(await dialToken(device), { Upgrade: 'h2c' })).toBe(400);
  });

  it('are asked to reconnect while this replica stops', async () => {
    const leaving = await World.start({
      redis: process.env['TEST_REDIS_URL'] ?? '',
      nats: process.env['TEST_NATS_URL'] ?? '',
      neighbours: world.neighbours,
    });
    const { Lease } = await import('../src/broker/lease.ts');
    await leaving.app.get(Lease).drain();
    const refused = await leaving.agent(world.neighbours.device()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
    await leaving.stop();
  });

  it('of a device that hangs end when it does not answer a PING', async () => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, { carrier: 'websocket' });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    const hungAt = Date.now();
    agent.hang();
    await until(() => world.presence(device.id).some(({ kind }) => kind === 'went'), 16_000);
    expect(Date.now() - hungAt).toBeLessThan(15_500);
    const went = linksOf(world.events).find(({ deviceId, connected }) => deviceId === device.id && !connected);
    // Downtime counts from the last heartbeat, not from detection.
    expect(Number(went?.at?.seconds ?? 0n) * 1_000).toBeLessThanOrEqual(hungAt);
  });

  it('that never start HTTP/2 are closed', async () => {
    const device = world.neighbours.device();
    const { socket } = await dialRaw(world.url, {
      Authorization: `Bearer ${await dialToken(device)}`,
      'Warren-Agent-Version': '0.1.0',
    });
    socket.resume();
    await until(() => socket.destroyed || socket.readableEnded);
    expect(world.app.get(Links).get(device.id)).toBeUndefined();
    expect(world.app.get(AgentEndpoint)).toBeDefined();
  });
});
