import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UpdaterWorld, type Released } from '../../test/updater.ts';
import { readRecord, trialSchema, writeRecord } from './records.ts';
import { runtimeDigest } from './runtime.ts';

describe('an installed version', () => {
  let world: UpdaterWorld;

  beforeEach(async () => {
    world = await UpdaterWorld.make();
  });

  afterEach(() => world.end());

  it('passes its trial, and the former one is kept for a rollback', async () => {
    const released = await world.release('1.1.0');
    await world.ask('1.1.0', released);
    await world.apply(async () => {
      world.steps.push((await readRecord(world.places.trial, trialSchema)) ? 'on trial' : 'not on trial');
      return world.verdict;
    });
    expect(world.steps).toEqual([`units ${released.folder}`, `restart ${released.folder}`, 'on trial']);
    expect(
      await Promise.all([world.current(), world.places.folderOf('steady'), world.places.folderOf('previous')]),
    ).toEqual([...[released.folder, released.folder, 'first']]);
    expect(await world.outcome()).toMatchObject({ offer: 'rollout-1', version: '1.1.0', state: 'done' });
    expect(await readRecord(world.places.trial, trialSchema)).toBeUndefined();
    expect((await readdir(join(world.places.program, 'versions'))).sort()).toEqual(['first', released.folder].sort());
  });

  describe('from a package without a runtime', () => {
    const node = (folder: string) => join(world.places.version(folder), 'lib/node');

    beforeEach(async () => {
      await mkdir(join(world.places.version('first'), 'lib/runtime'), { recursive: true });
      await writeFile(node('first'), '#!/bin/sh\n', { mode: 0o755 });
      await writeFile(join(world.places.version('first'), 'lib/runtime/libc.so.6'), 'a library');
    });

    it('shares the local one', async () => {
      const released = await world.release('1.1.0', world.key, {
        runtime: await runtimeDigest(world.places.version('first')),
      });
      await world.ask('1.1.0', released);
      await world.apply();
      expect(await world.outcome()).toMatchObject({ state: 'done' });
      const [own, former] = await Promise.all([stat(node(released.folder)), stat(node('first'))]);
      expect([own.ino, own.mode & 0o777]).toEqual([former.ino, 0o755]);
      expect(await readFile(join(world.places.version(released.folder), 'lib/runtime/libc.so.6'), 'utf8')).toBe(
        'a library',
      );
      await rm(world.places.version('first'), { recursive: true });
      expect(await readFile(node(released.folder), 'utf8')).toBe('#!/bin/sh\n');
    });

    it('is refused if it is for another one', async () => {
      await world.ask('1.1.0', await world.release('1.1.0', world.key, { runtime: 'f'.repeat(64) }));
      await world.apply();
      expect((await world.outcome())?.why).toContain('is for another runtime than this device has');
      expect(world.steps).toEqual([]);
      expect(await readdir(join(world.places.program, 'versions'))).toEqual(['first']);
    });
  });

  it('gets its units after a power cut before they were written', async () => {
    const released = await world.release('1.1.0');
    await world.version(released.folder, '1.1.0');
    await world.point('current', released.folder);
    await writeRecord(world.places.trial, {
      offer: 'rollout-1',
      version: '1.1.0',
      back: false,
      from: 'first',
      to: released.folder,
      attempts: 1,
    });
    await world.apply();
    expect(world.steps).toEqual([`units ${released.folder}`, `restart ${released.folder}`]);
    expect(await world.outcome()).toMatchObject({ state: 'done' });
  });

  it.each<[string, string, (released: Released) => Promise<void>]>([
    [
      'signed by another key',
      'not signed by the release key',
      async () => {
        const other = await world.release('1.1.0', generateKeyPairSync('ed25519').privateKey);
        await world.ask('1.1.0', other);
      },
    ],
    [
      'not what was signed',
      'is damaged',
      async ({ archive }) => {
        const body = await readFile(archive);
        body[body.length - 1]! ^= 1;
        await writeFile(world.places.package, body);
      },
    ],
    [
      'longer than signed',
      'is longer than',
      ({ archive }) => readFile(archive).then((body) => writeFile(world.places.package, Buffer.concat([body, body]))),
    ],
    [
      'a link to something else',
      'ELOOP',
      async ({ archive }) => {
        await unlink(world.places.package);
        await symlink(archive, world.places.package);
      },
    ],
    ['another version than asked for', 'the hub gave version 1.1.0 for 1.2.0', () => world.ask('1.2.0')],
  ])('is refused when it is %s', async (_what, why, spoil) => {
    const released = await world.release('1.1.0');
    await world.ask('1.1.0', released);
    await spoil(released);
    await world.apply();
    expect((await world.outcome())?.why).toContain(why);
    expect(world.steps).toEqual([]);
    expect(await world.current()).toBe('first');
    expect(await readdir(join(world.places.program, 'versions'))).toEqual(['first']);
  });

  it('is refused if it is older, even with a valid signature', async () => {
    await world.ask('0.9.0', await world.release('0.9.0'));
    await world.apply();
    expect((await world.outcome())?.why).toContain('a downgrade is refused');
    expect(world.steps).toEqual([]);
  });

  it('rolls back to the former version on request, and to no other', async () => {
    await world.version('zeroth', '0.9.0');
    await world.point('previous', 'zeroth');
    await world.ask('0.8.0', undefined, true);
    await world.apply();
    expect((await world.outcome())?.why).toContain('version 0.8.0 is not kept');
    await world.ask('0.9.0', undefined, true);
    await world.apply();
    expect(world.steps).toEqual(['units zeroth', 'restart zeroth']);
    expect(await Promise.all([world.places.folderOf('steady'), world.places.folderOf('previous')])).toEqual([
      'zeroth',
      'first',
    ]);
  });
});
