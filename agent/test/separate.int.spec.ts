import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnrolment } from '../src/state/enrolment.ts';
import { rotateKey } from '../src/rotate.ts';
import { makeKey, makeNextKey } from '../src/state/key.ts';
import { readStatus } from '../src/state/status.ts';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

describe('a machine whose hardware is not that of its enrolment', () => {
  let world: World;
  let deviceTree: string;
  beforeEach(async () => {
    world = await World.make();
    await world.enrol();
    deviceTree = join(world.state, 'device-tree');
    await mkdir(deviceTree);
    await writeFile(join(deviceTree, 'serial-number'), '10000000board2\0');
    await writeFile(join(deviceTree, 'model'), 'Raspberry Pi 5\0');
  });
  afterEach(() => world.end());

  /** Enrolled by the serial of a board that is not this one. */
  const enrolledElsewhere = async () => {
    const path = join(world.state, 'device.json');
    const kept = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...kept, serial: '10000000board1' }));
  };
  const key = () => readFile(join(world.state, 'key.pem'), 'utf8');
  const keyFiles = async () => (await readdir(world.state)).filter((name) => name.endsWith('.pem'));
  const claims = () => decodeJwt(world.hub.dials.at(-1)?.headers.authorization?.replace('Bearer ', '') ?? '');
  const separates = () => ({
    status: 409,
    body: { code: 'failed_precondition', message: 'This machine is no longer weir.' },
  });

  it('says the serial and model of this hardware with each dial', async () => {
    await enrolledElsewhere();
    await world.start({ deviceTree });
    await world.hub.linked(1);
    expect(claims()).toMatchObject({ serial: '10000000board2', model: 'Raspberry Pi 5' });
  });

  it('says nothing where it was enrolled by the serial of its installation, which copies share', async () => {
    await world.start({ deviceTree });
    await world.hub.linked(1);
    expect(claims()).not.toHaveProperty('serial');
  });

  it('waits while it is not decided, and says why', async () => {
    await enrolledElsewhere();
    const message = 'This machine has the key of weir and another serial: decide in the console.';
    world.hub.refuse = () => ({ status: 409, body: { code: 'already_exists', message } });
    const [before, files] = [await key(), await readdir(world.state)];
    await world.start({ deviceTree });
    await until(async () => (await readStatus(world.state))?.problem === `key: ${message}`);
    expect(await readStatus(world.state)).toMatchObject({ state: 'waiting', refused: true });
    expect(await key()).toBe(before);
    expect((await readdir(world.state)).filter((name) => !files.includes(name))).toEqual(['status.json']);
    expect(world.hub.separated).toBeUndefined();
  });

  it('enrols as a separate device with a new key once that is decided, and links at once', async () => {
    await enrolledElsewhere();
    const before = await key();
    world.hub.refuse = () => (world.hub.separated ? undefined : separates());
    await world.start({ deviceTree });
    await world.hub.linked(1);
    expect(world.hub.separated).toMatchObject({ device_id: 'device-1', serial: '10000000board2' });
    expect(await readEnrolment(world.state)).toMatchObject({ device_id: 'device-2', serial: '10000000board2' });
    expect(await key()).not.toBe(before);
    expect(await readdir(world.state)).not.toContain('key.next.pem');
    await world.stopAgent();
    await world.start({ deviceTree });
    await world.hub.linked(2);
  });

  it('may lose the answer to that, and asks again with the same key', async () => {
    await enrolledElsewhere();
    world.hub.separating = 'lost';
    world.hub.refuse = () => (world.hub.becomes ? undefined : separates());
    await world.start({ deviceTree });
    await until(async () => world.hub.separated !== undefined);
    await world.hub.linked(1);
    expect(await readEnrolment(world.state)).toMatchObject({ device_id: 'device-2' });
  });

  it('may be killed before its new key is in place, beside the keys that it was copied with', async () => {
    await enrolledElsewhere();
    world.hub.refuse = () => (world.hub.separated ? undefined : separates());
    await world.start({ deviceTree });
    await world.hub.linked(1);
    await world.stopAgent();
    const own = await key();
    await rename(join(world.state, 'key.pem'), join(world.state, 'key.separate.pem'));
    await makeKey(world.state);
    await makeNextKey(world.state);
    await world.start({ deviceTree });
    await until(async () => (await key()) === own);
    expect(await keyFiles()).toEqual(['key.pem']);
  });

  describe('copied while a rotation of the key was pending', () => {
    const pending = () => readFile(join(world.state, 'key.next.pem'), 'utf8');
    /** The original has the pending key in place, and so does the hub. */
    const completed = async () => {
      world.hub.rotating = 'lost';
      await rotateKey(world.state).catch(() => {});
    };

    it.each([
      ['and not completed', () => makeNextKey(world.state)],
      ['and completed', completed],
    ])('%s: waits for the decision, then enrols with a key that the original does not have', async (_what, rotate) => {
      await enrolledElsewhere();
      await rotate();
      const copied = [await key(), await pending()];
      const message = 'This machine has the key of weir and another serial: decide in the console.';
      world.hub.decide = () => ({ status: 409, body: { code: 'already_exists', message } });
      await world.start({ deviceTree });
      await until(async () => (await readStatus(world.state))?.problem === `key: ${message}`);
      expect([await key(), await pending()]).toEqual(copied);
      await world.stopAgent();
      world.hub.decide = () => (world.hub.separated ? undefined : separates());
      await world.start({ deviceTree });
      await world.hub.linked(1);
      await until(async () => !copied.includes(await key()));
      expect(await readEnrolment(world.state)).toMatchObject({ device_id: 'device-2' });
      expect(await keyFiles()).toEqual(['key.pem']);
    });
  });
});
