import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Proxy } from '@warren/infra/proxy';
import { until } from '@warren/infra/until';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { Lease } from '../src/broker/lease.ts';
import { LOOK_EVERY } from '../src/drain/isolation.ts';
import { Links } from '../src/links/links.ts';
import { World } from './world.ts';

const nats = process.env['TEST_NATS_URL'] ?? '';
const redis = process.env['TEST_REDIS_URL'] ?? '';
/** The lease, and a renewal that fails. */
const NOTICED_MS = 15_000;

/** Two replicas with separate connections to the same Redis. */
describe('a replica that is cut off from Redis', () => {
  let ways: [Proxy, Proxy];
  let here: World;
  let there: World;

  beforeEach(async () => {
    const { hostname, port, pathname } = new URL(redis);
    expect(['127.0.0.1', 'localhost']).toContain(hostname);
    ways = [await Proxy.start(Number(port)), await Proxy.start(Number(port))];
    const [mine, other] = ways.map((way) => `redis://127.0.0.1:${way.port}${pathname}`);
    here = await World.start({ redis: mine ?? '', nats });
    there = await World.start({ redis: other ?? '', nats, neighbours: here.neighbours });
    // One learns of the other with some renewals, and has done so when another one follows.
    let renewed = 0;
    here.app.get(Lease).onRenewed(() => renewed++);
    await until(() => renewed > LOOK_EVERY);
  });

  afterEach(async () => {
    for (const way of ways) way.plug();
    for (const way of ways) way.reset();
    await here.stop();
    await there.stop();
    await Promise.all(ways.map((way) => way.stop()));
  });

  const linked = async () => {
    const device = here.neighbours.device();
    const agent = await here.agent(device);
    await until(() => here.app.get(Links).get(device.id) !== undefined);
    const browser = here.browser(device.id, { accountId: device.accountId });
    browser.socket.emit('register', { cols: 80, rows: 24 });
    await until(() => browser.heard('register_status')?.['success'] === true);
    return { device, agent, browser };
  };

  it('hands its devices and sessions to one that is not, and does not take them back', async () => {
    const { device, agent, browser } = await linked();
    ways[0].unplug();
    await until(() => agent.goneAway, NOTICED_MS);
    expect(here.app.get(Lease).serving).toBe(false);
    await expect(here.agent(here.neighbours.device())).rejects.toMatchObject({ status: 503 });

    const again = await there.agent(device);
    agent.kill();
    await until(() => browser.heard('client_disconnect') !== undefined);
    const located = () => there.app.get(ReplicaDirectory).locate(device.id);
    // Its lease may lapse for a moment on a busy machine.
    const isThere = async () => (await located())?.address === there.url;
    await until(isThere);
    const connection = (await located())?.connection;

    ways[0].plug();
    ways[0].reset();
    await until(() => here.app.get(Lease).serving, NOTICED_MS);
    await here.agent(here.neighbours.device());
    expect(again.alive).toBe(true);
    await until(isThere);
    expect((await located())?.connection).toBe(connection);
    expect(here.app.get(Links).get(device.id)).toBeUndefined();
  });

  it('keeps them when no other can reach it either', async () => {
    const { agent, browser } = await linked();
    for (const way of ways) way.unplug();
    await until(() => !here.app.get(Lease).holds && !there.app.get(Lease).holds, NOTICED_MS);
    let lost = 0;
    here.app.get(Lease).onLost(() => lost++);
    // It has looked for other replicas since.
    await until(() => lost >= 2, NOTICED_MS);
    expect(agent.goneAway).toBe(false);
    expect(agent.alive).toBe(true);
    expect(browser.heard('client_disconnect')).toBeUndefined();
  });
});
