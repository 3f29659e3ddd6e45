import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chown, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../src/errors.ts';
import { rotateKey } from '../src/rotate.ts';
import { makeNextKey } from '../src/state/key.ts';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

describe('changing the key', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await world.enrol();
  });
  afterEach(() => world.end());

  const key = () => readFile(join(world.state, 'key.pem'), 'utf8');
  const files = () => readdir(world.state);
  /** A process of the agent that knows nothing but what is stored. */
  const links = async () => {
    const before = world.hub.links.length;
    await world.start();
    await world.hub.linked(before + 1);
    await world.stopAgent();
  };

  it('has the new one in place, readable by its owner alone, and the old one gone', async () => {
    const old = await key();
    await rotateKey(world.state);
    expect(await key()).not.toBe(old);
    expect((await stat(join(world.state, 'key.pem'))).mode & 0o777).toBe(0o600);
    expect(await files()).not.toContain('key.next.pem');
    await links();
    await writeFile(join(world.state, 'key.pem'), old);
    await world.start();
    await world.hub.dialled(world.hub.dials.length + 1);
    expect(world.hub.links).toHaveLength(1);
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('leaves the key to the owner of the folder when root changes it', async () => {
    const owner = 65_534;
    await chown(world.state, owner, owner);
    await rotateKey(world.state);
    const { uid, gid, mode } = await stat(join(world.state, 'key.pem'));
    expect([uid, gid, mode & 0o777]).toEqual([owner, owner, 0o600]);
  });

  it('may be killed before the hub is asked', async () => {
    await makeNextKey(world.state);
    await links();
    expect(await files()).toContain('key.next.pem');
    await rotateKey(world.state);
    expect(await files()).not.toContain('key.next.pem');
    await links();
  });

  it('may be killed while the hub is asked', async () => {
    const old = await key();
    world.hub.rotating = 'cut';
    await expect(rotateKey(world.state)).rejects.toMatchObject({ exit: EXIT.unavailable });
    expect(await key()).toBe(old);
    await links();
  });

  it('may be killed when the hub has taken the key, and the next link puts it in place', async () => {
    const old = await key();
    world.hub.rotating = 'lost';
    await expect(rotateKey(world.state)).rejects.toMatchObject({ exit: EXIT.unavailable });
    expect(await key()).toBe(old);
    await world.start();
    await until(async () => (await key()) !== old);
    await world.stopAgent();
    expect(await files()).not.toContain('key.next.pem');
    await links();
  });

  it('may be asked for again when the hub has taken the key', async () => {
    world.hub.rotating = 'lost';
    await rotateKey(world.state).catch(() => {});
    world.hub.rotating = 'taken';
    await rotateKey(world.state);
    expect(await files()).not.toContain('key.next.pem');
    await links();
  });

  it.each(['unknown', 'taken'] as const)(
    'that was pending, with its key %s before, ends with a key that no copy has',
    async (before) => {
      await makeNextKey(world.state);
      world.hub.rotating = 'lost';
      if (before === 'taken') await rotateKey(world.state).catch(() => {});
      const copied = [await key(), await readFile(join(world.state, 'key.next.pem'), 'utf8')];
      world.hub.rotating = 'taken';
      await rotateKey(world.state);
      expect(copied).not.toContain(await key());
      expect(await files()).not.toContain('key.next.pem');
      await links();
    },
  );

  it('is done by a running agent that is asked, which dials with the new key from then on', async () => {
    await world.start();
    const { client, socket } = await world.hub.linked(1);
    await client.rotateKey({ userEmail: 'ada@example.com' });
    expect(world.hub.rotations).toBe(1);
    socket.destroy();
    await world.hub.linked(2);
  });

  it('says why the hub does not take it, and keeps the old one', async () => {
    const old = await key();
    await makeNextKey(world.state);
    await writeFile(join(world.state, 'key.pem'), await readFile(join(world.state, 'key.next.pem')));
    await expect(rotateKey(world.state)).rejects.toMatchObject({ message: /the device has another key now/, exit: 77 });
    await writeFile(join(world.state, 'key.pem'), old);
    await links();
  });

  it('is refused in a folder that is not enrolled', async () => {
    await expect(rotateKey(join(world.state, 'nowhere'))).rejects.toMatchObject({ exit: EXIT.config });
  });
});
