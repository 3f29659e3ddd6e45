import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { applyUpdate } from './apply.ts';
import { Places, type Pointer } from './places.ts';
import { outcomeSchema, readRecord, trialSchema, writeRecord } from './records.ts';
import { Interrupted } from './systemd.ts';
import type { Verdict } from './trial.ts';

const arch = process.arch === 'arm' ? 'armv7l' : process.arch;

interface Released {
  manifest: string;
  signature: string;
  archive: string;
  folder: string;
}

describe('a version that is put in place', () => {
  let home: string;
  let places: Places;
  let key: KeyObject;
  /** What happened, in its order. */
  let steps: string[];
  let verdict: Verdict;
  /** The version whose units stand. */
  let units: string;

  const current = () => places.folderOf('current');
  const outcome = () => readRecord(places.outcome, outcomeSchema);
  const apply = (prove = async () => verdict) =>
    applyUpdate({
      places,
      service: {
        place: async (version) => {
          if (units === version) return false;
          steps.push(`units ${version}`);
          units = version;
          return true;
        },
        restart: async () => void steps.push(`restart ${await current()}`),
      },
      prove,
      log: pino({ level: 'silent' }),
    });

  async function point(name: Pointer, folder: string): Promise<void> {
    await rm(places.pointer(name), { force: true });
    await symlink(places.version(folder), places.pointer(name));
  }

  async function version(folder: string, number: string): Promise<void> {
    await mkdir(places.version(folder), { recursive: true });
    await writeFile(join(places.version(folder), 'package.json'), JSON.stringify({ version: number }));
  }

  async function release(number: string, by: KeyObject = key): Promise<Released> {
    const folder = await mkdtemp(join(home, 'release-'));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: number }));
    const archive = `${folder}.tar.gz`;
    execFileSync('tar', ['-czf', archive, '-C', folder, '.']);
    const body = await readFile(archive);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const entry = { os: 'linux', arch, file: 'agent.tar.gz', sha256, size: body.length };
    const manifest = JSON.stringify({ version: number, packages: [entry] });
    const signature = sign(null, Buffer.from(manifest), by).toString('base64');
    return { manifest, signature, archive, folder: sha256.slice(0, 16) };
  }

  async function ask(number: string, released?: Released, back = false): Promise<void> {
    await mkdir(places.inbox, { recursive: true });
    await writeRecord(places.request, { offer: 'rollout-1', version: number, back });
    if (!released) return;
    await writeFile(places.manifest, released.manifest);
    await writeFile(places.signature, released.signature);
    await cp(released.archive, places.package);
  }

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'warren-apply-'));
    places = new Places(join(home, 'opt'), join(home, 'state'));
    const pair = generateKeyPairSync('ed25519');
    key = pair.privateKey;
    const { x } = pair.publicKey.export({ format: 'jwk' });
    await version('first', '1.0.0');
    await writeFile(places.releaseKey, `${Buffer.from(x ?? '', 'base64url').toString('base64')}\n`);
    await point('current', 'first');
    await point('steady', 'first');
    steps = [];
    units = 'first';
    verdict = { good: true };
  });

  afterEach(() => rm(home, { recursive: true, force: true }));

  it('is tried, kept, and the former one kept beside it', async () => {
    const released = await release('1.1.0');
    await ask('1.1.0', released);
    await apply(async () => {
      steps.push((await readRecord(places.trial, trialSchema)) ? 'on trial' : 'not on trial');
      return verdict;
    });
    expect(steps).toEqual([`units ${released.folder}`, `restart ${released.folder}`, 'on trial']);
    expect(await Promise.all([current(), places.folderOf('steady'), places.folderOf('previous')])).toEqual([
      ...[released.folder, released.folder, 'first'],
    ]);
    expect(await outcome()).toMatchObject({ offer: 'rollout-1', version: '1.1.0', state: 'done' });
    expect(await readRecord(places.trial, trialSchema)).toBeUndefined();
    expect((await readdir(join(places.program, 'versions'))).sort()).toEqual(['first', released.folder].sort());
  });

  it('is left again when it does not prove itself', async () => {
    const released = await release('1.1.0');
    await ask('1.1.0', released);
    verdict = { good: false, why: 'it did not reach the hub' };
    await apply();
    expect(steps).toEqual([`units ${released.folder}`, `restart ${released.folder}`, 'units first', 'restart first']);
    expect(await current()).toBe('first');
    expect(await outcome()).toMatchObject({ state: 'failed', why: 'it did not reach the hub' });
    expect(await readdir(join(places.program, 'versions'))).toEqual(['first']);
  });

  it('stays on trial when the device goes down in the middle, and is tried on when it is back', async () => {
    const released = await release('1.1.0');
    await ask('1.1.0', released);
    await expect(apply(() => Promise.reject(new Interrupted('the device goes down')))).rejects.toThrow(Interrupted);
    expect(await outcome()).toBeUndefined();
    expect(await readRecord(places.trial, trialSchema)).toMatchObject({ version: '1.1.0', attempts: 1 });
    await apply();
    expect(await outcome()).toMatchObject({ state: 'done' });
    expect(await places.folderOf('steady')).toBe(released.folder);
  });

  it('is tried on after a power cut, and left when the device goes down again and again', async () => {
    const released = await release('1.1.0');
    await ask('1.1.0', released);
    const cut = () => Promise.reject(new Error('power cut'));
    const tried = () => readRecord(places.trial, trialSchema);
    // A process that is killed there writes nothing more.
    await apply(async () => {
      await cp(places.trial, `${places.trial}.kept`);
      return cut();
    });
    await cp(`${places.trial}.kept`, places.trial);
    await version(released.folder, '1.1.0');
    await point('current', released.folder);
    units = released.folder;
    steps = [];
    await apply(async () => {
      expect((await tried())?.attempts).toBe(2);
      return { good: true };
    });
    expect(steps).toEqual([]);
    expect(await places.folderOf('steady')).toBe(released.folder);

    await point('steady', 'first');
    await writeRecord(places.trial, {
      ...{ offer: 'rollout-1', version: '1.1.0', back: false, from: 'first', to: released.folder, attempts: 3 },
    });
    await apply();
    expect(steps).toEqual(['units first', 'restart first']);
    expect(await outcome()).toMatchObject({ state: 'failed', why: 'this device went down while it was tried' });
  });

  it('gets its units after a power cut before they were written', async () => {
    const released = await release('1.1.0');
    await version(released.folder, '1.1.0');
    await point('current', released.folder);
    await writeRecord(places.trial, {
      ...{ offer: 'rollout-1', version: '1.1.0', back: false, from: 'first', to: released.folder, attempts: 1 },
    });
    await apply();
    expect(steps).toEqual([`units ${released.folder}`, `restart ${released.folder}`]);
    expect(await outcome()).toMatchObject({ state: 'done' });
  });

  it.each<[string, string, (released: Released) => Promise<void>]>([
    [
      'signed by another key',
      'not signed by the release key',
      async () => {
        const other = await release('1.1.0', generateKeyPairSync('ed25519').privateKey);
        await ask('1.1.0', other);
      },
    ],
    [
      'not what was signed',
      'is damaged',
      async ({ archive }) => {
        const body = await readFile(archive);
        body[body.length - 1]! ^= 1;
        await writeFile(places.package, body);
      },
    ],
    [
      'longer than signed',
      'is longer than',
      ({ archive }) => readFile(archive).then((body) => writeFile(places.package, Buffer.concat([body, body]))),
    ],
    [
      'a link to something else',
      'ELOOP',
      async ({ archive }) => {
        await unlink(places.package);
        await symlink(archive, places.package);
      },
    ],
    ['another version than asked for', 'the hub gave version 1.1.0 for 1.2.0', () => ask('1.2.0')],
  ])('is refused when it is %s', async (_what, why, spoil) => {
    const released = await release('1.1.0');
    await ask('1.1.0', released);
    await spoil(released);
    await apply();
    expect((await outcome())?.why).toContain(why);
    expect(steps).toEqual([]);
    expect(await current()).toBe('first');
    expect(await readdir(join(places.program, 'versions'))).toEqual(['first']);
  });

  it('is refused when it is older, however well it is signed', async () => {
    await ask('0.9.0', await release('0.9.0'));
    await apply();
    expect((await outcome())?.why).toContain('a downgrade is refused');
    expect(steps).toEqual([]);
  });

  it('goes back to the former version when asked, and to no other', async () => {
    await version('zeroth', '0.9.0');
    await point('previous', 'zeroth');
    await ask('0.8.0', undefined, true);
    await apply();
    expect((await outcome())?.why).toContain('version 0.8.0 is not kept');
    await ask('0.9.0', undefined, true);
    await apply();
    expect(steps).toEqual(['units zeroth', 'restart zeroth']);
    expect(await Promise.all([places.folderOf('steady'), places.folderOf('previous')])).toEqual(['zeroth', 'first']);
  });
});
