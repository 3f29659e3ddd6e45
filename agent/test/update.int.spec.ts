import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { access, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './until.ts';
import { World } from './world.ts';

jest.setTimeout(60_000);

const arch = process.arch === 'arm' ? 'armv7l' : process.arch;
/** What runs in {@link World}. */
const RUNNING = '1.2.3';

describe('an offered version', () => {
  let world: World;
  let key: KeyObject;
  let program: string;
  let trigger: string;

  beforeEach(async () => {
    world = await World.make();
    const pair = generateKeyPairSync('ed25519');
    key = pair.privateKey;
    program = join(world.state, 'program');
    trigger = join(world.state, 'asked');
    await mkdir(join(program, 'versions/kept'), { recursive: true });
    await writeFile(join(program, 'versions/kept/package.json'), '{"version":"1.0.0"}');
    const { x } = pair.publicKey.export({ format: 'jwk' });
    await writeFile(join(program, 'release-key.pub'), `${Buffer.from(x ?? '', 'base64url').toString('base64')}\n`);
    await world.start({ program, updateTrigger: trigger });
  });

  afterEach(() => world.end());

  /** Puts a release on the hub. */
  function release(version: string, { by = key, says = version, body = Buffer.from('package') } = {}): void {
    const sha256 = createHash('sha256').update('package').digest('hex');
    const packages = [{ os: 'linux', arch, file: 'agent.tar.gz', sha256, size: 7 }];
    const manifest = Buffer.from(JSON.stringify({ version: says, packages }));
    const base = `/install/releases/${version}`;
    world.hub.files.set(`${base}/manifest.json`, manifest);
    world.hub.files.set(`${base}/manifest.json.sig`, Buffer.from(sign(null, manifest, by).toString('base64')));
    world.hub.files.set(`${base}/agent.tar.gz`, body);
  }

  const offer = async (version: string, { name = 'rollout-1', back = false } = {}) =>
    (await world.hub.linked(1)).client.offerUpdate({ offer: name, version, back });
  const asked = () =>
    access(trigger).then(
      () => true,
      () => false,
    );
  const failed = async (version: string) => {
    await until(async () => (await offer(version)).state === UpdateState.FAILED);
    expect(await asked()).toBe(false);
    return (await offer(version)).why;
  };

  it('is downloaded, checked and handed over once no terminal is open', async () => {
    release('2.0.0');
    const terminal = await world.open();
    terminal.type('echo $((6*7))\r');
    await terminal.shows('42');
    expect((await offer('2.0.0')).state).toBe(UpdateState.WORKING);
    await until(async () => (await offer('2.0.0')).state === UpdateState.WAITING);
    expect((await offer('2.0.0')).terminals).toBe(1);
    expect(await asked()).toBe(false);
    terminal.type('exit\r');
    await until(asked);
    const request = JSON.parse(await readFile(join(world.state, 'update/request.json'), 'utf8')) as unknown;
    expect(request).toEqual({ offer: 'rollout-1', version: '2.0.0', back: false });
    expect(await readFile(join(world.state, 'update/package.tar.gz'), 'utf8')).toBe('package');
    // The updater says no: terminals can be opened again, and the version is not tried again for this offer.
    const outcome = {
      offer: 'rollout-1',
      version: '2.0.0',
      state: 'failed',
      why: 'no room',
      at: new Date().toISOString(),
    };
    await writeFile(join(program, 'update.json'), JSON.stringify(outcome));
    await until(async () => (await offer('2.0.0')).state === UpdateState.FAILED);
    expect((await offer('2.0.0')).why).toBe('no room');
  });

  it.each([
    ['was signed by another key', { by: generateKeyPairSync('ed25519').privateKey }, 'not signed by the release key'],
    ['is older than it pretends', { says: '1.0.0' }, 'the hub gave version 1.0.0 for 2.0.0'],
    ['is another package than was signed', { body: Buffer.from('PACKAGE') }, 'is damaged'],
    ['is longer than was signed', { body: Buffer.from('package and more') }, 'is longer than the 7 bytes'],
  ])('is refused when it %s', async (_what, making, why) => {
    release('2.0.0', making);
    expect(await failed('2.0.0')).toContain(why);
  });

  it('is refused when it is older than what runs', async () => {
    release('1.2.2');
    expect(await failed('1.2.2')).toContain('a downgrade is refused');
  });

  it('may be the one that is kept to go back to, and no other', async () => {
    expect(await offer('1.0.0', { back: true })).toMatchObject({ state: UpdateState.FAILED });
    await symlink(join(program, 'versions/kept'), join(program, 'previous'));
    expect((await offer('1.1.0', { back: true })).why).toContain('is not kept on this device');
    expect((await offer('1.0.0', { back: true })).state).toBe(UpdateState.WORKING);
    await until(asked);
  });

  it('is done when it runs already, and gives up another one that waits', async () => {
    release('2.0.0');
    const terminal = await world.open();
    terminal.type('echo $((6*7))\r');
    await terminal.shows('42');
    await offer('2.0.0');
    await until(async () => (await offer('2.0.0')).state === UpdateState.WAITING);
    expect((await offer(RUNNING, { back: true })).state).toBe(UpdateState.DONE);
    expect((await offer('2.0.0', { name: 'rollout-2' })).state).toBe(UpdateState.WORKING);
  });

  it.each(['../../etc', 'latest', '1.2', ''])('is named by a version, not by %j', async (version) => {
    await expect(offer(version)).rejects.toThrow('expected a version such as 1.2.3');
  });
});
