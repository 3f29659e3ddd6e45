import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Proxy } from '@warren/infra/proxy';
import { World } from './world.ts';

/** What a person is promised. */
const BACK_MS = 10_000;
const TRIES = 3;

describe('after a NAT has forgotten its connection, the agent', () => {
  let world: World;
  let nat: Proxy;
  beforeEach(async () => {
    world = await World.make();
    nat = await Proxy.start(world.hub.port);
    world.hub.url = `http://localhost:${nat.port}`;
  });
  afterEach(async () => {
    await world.end();
    await nat.stop();
  });

  it('is back in less than 10 s, however late before the next PING that was', async () => {
    await world.start();
    const times: number[] = [];
    // On a machine with other work the processes themselves are late; the fastest of a few counts.
    while (times.length < TRIES && !(Math.min(...times) < BACK_MS)) {
      const links = times.length + 1;
      const { session } = await world.hub.linked(links);
      // The agent has just heard the hub, so it begins to wait now.
      await new Promise<void>((resolve, reject) => session.ping((error) => (error ? reject(error) : resolve())));
      nat.deafen();
      const since = performance.now();
      await world.hub.linked(links + 1);
      times.push(performance.now() - since);
    }
    expect(Math.min(...times)).toBeLessThan(BACK_MS);
  });
});
