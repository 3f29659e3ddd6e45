import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_CRASHES, UpdaterWorld } from '../../test/updater.ts';
import { firstDaySchema, readRecord, trialSchema, writeRecord } from './records.ts';
import { Interrupted } from './systemd.ts';

describe('a version on trial', () => {
  let world: UpdaterWorld;

  beforeEach(async () => {
    world = await UpdaterWorld.make();
  });

  afterEach(() => world.end());

  it('rolls back if it fails', async () => {
    const released = await world.release('1.1.0');
    await world.ask('1.1.0', released);
    world.verdict = { good: false, why: 'it crashed', crashes: { count: 3, weight: 3 } };
    await world.apply();
    expect(world.steps).toEqual([
      `units ${released.folder}`,
      `restart ${released.folder}`,
      'units first',
      'restart first',
    ]);
    expect(await world.current()).toBe('first');
    expect(await world.outcome()).toMatchObject({ state: 'failed', why: 'it crashed', crashes: 3 });
    expect(await readdir(join(world.places.program, 'versions'))).toEqual(['first']);
  });

  it('keeps its crashes if the device goes down', async () => {
    await world.ask('1.1.0', await world.release('1.1.0'));
    const down = new Interrupted('the device goes down');
    const crashes = { count: 1, weight: 1 };
    await expect(
      world.apply((_trial, { crashed }) => crashed(crashes).then(() => Promise.reject(down))),
    ).rejects.toThrow(down);
    await world.apply(async (trial) => {
      expect(trial).toMatchObject({ attempts: 2, crashes });
      return { good: true, crashes: trial.crashes };
    });
    expect(await readRecord(world.places.firstDay, firstDaySchema)).toMatchObject({ version: '1.1.0', crashes });
  });

  it('rolls back if the agent leaves a request for the former version', async () => {
    await world.ask('1.1.0', await world.release('1.1.0'));
    await world.apply(async (_trial, { recalled }) => {
      expect(await recalled()).toBe(false);
      await world.ask('0.9.0', undefined, true);
      expect(await recalled()).toBe(false);
      await world.ask('1.0.0', undefined, true);
      expect(await recalled()).toBe(true);
      return world.verdict;
    });
  });

  it('rolls back on its first day if it keeps crashing, also after a power cut during the rollback', async () => {
    const released = await world.release('1.1.0');
    await world.ask('1.1.0', released);
    await world.apply();
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    world.steps = [];
    await writeFile(world.places.crashes, `${boot} 9 ${released.folder} 1 \n`.repeat(2));
    await world.apply();
    expect(world.steps).toEqual([]);
    await writeFile(world.places.crashes, `${boot} 9 ${released.folder} 1 \n`);
    await world.apply();
    expect(world.steps).toEqual(['units first', 'restart first']);
    expect(await Promise.all([world.current(), world.places.folderOf('steady')])).toEqual(['first', 'first']);
    const why = 'it crashed 3 times, the last time after it was linked for 0 seconds';
    expect(await world.outcome()).toMatchObject({
      offer: 'rollout-1',
      version: '1.1.0',
      state: 'failed',
      crashes: 3,
      why,
    });
    expect(await readRecord(world.places.firstDay, firstDaySchema)).toBeUndefined();

    await world.version(released.folder, '1.1.0');
    await world.point('steady', released.folder);
    await writeRecord(world.places.trial, {
      offer: 'rollout-1',
      version: '1.1.0',
      back: false,
      from: 'first',
      to: released.folder,
      attempts: 1,
      crashes: { count: 3, weight: 3 },
      why,
    });
    await world.apply();
    expect(await world.places.folderOf('steady')).toBe('first');
    expect(await world.outcome()).toMatchObject({ state: 'failed', crashes: 3 });
  });

  it('stays on trial if the device goes down, and continues after the boot', async () => {
    const released = await world.release('1.1.0');
    await world.ask('1.1.0', released);
    await expect(world.apply(() => Promise.reject(new Interrupted('the device goes down')))).rejects.toThrow(
      Interrupted,
    );
    expect(await world.outcome()).toBeUndefined();
    expect(await readRecord(world.places.trial, trialSchema)).toMatchObject({ version: '1.1.0', attempts: 1 });
    await world.apply();
    expect(await world.outcome()).toMatchObject({ state: 'done' });
    expect(await world.places.folderOf('steady')).toBe(released.folder);
  });

  it('continues after a power cut, and rolls back if the device keeps going down', async () => {
    const released = await world.release('1.1.0');
    await world.ask('1.1.0', released);
    const cut = () => Promise.reject(new Error('power cut'));
    const tried = () => readRecord(world.places.trial, trialSchema);
    // A process that is killed there writes nothing more.
    await world.apply(async () => {
      await cp(world.places.trial, `${world.places.trial}.kept`);
      return cut();
    });
    await cp(`${world.places.trial}.kept`, world.places.trial);
    await world.version(released.folder, '1.1.0');
    await world.point('current', released.folder);
    world.units = released.folder;
    world.steps = [];
    await world.apply(async () => {
      expect((await tried())?.attempts).toBe(2);
      return { good: true, crashes: NO_CRASHES };
    });
    expect(world.steps).toEqual([]);
    expect(await world.places.folderOf('steady')).toBe(released.folder);

    await world.point('steady', 'first');
    await writeRecord(world.places.trial, {
      offer: 'rollout-1',
      version: '1.1.0',
      back: false,
      from: 'first',
      to: released.folder,
      attempts: 3,
    });
    await world.apply();
    expect(world.steps).toEqual(['units first', 'restart first']);
    expect(await world.outcome()).toMatchObject({ state: 'failed', why: 'this device went down while it was tried' });
  });
});
