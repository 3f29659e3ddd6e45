import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { access, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

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
  function release(
    version: string,
    { by = key, says = version, body = Buffer.from('package'), runtime = '' } = {},
  ): void {
    const entry = (file: string, text: string) => {
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { os: 'linux', arch, file, sha256, size: text.length };
    };
    const packages = [entry('agent.tar.gz', 'package')];
    const updates = runtime ? [{ ...entry('update.tar.gz', 'small'), runtime }] : undefined;
    const manifest = Buffer.from(JSON.stringify({ version: says, packages, updates }));
    const base = `/install/releases/${version}`;
    world.hub.files.set(`${base}/manifest.json`, manifest);
    world.hub.files.set(`${base}/manifest.json.sig`, Buffer.from(sign(null, manifest, by).toString('base64')));
    world.hub.files.set(`${base}/agent.tar.gz`, body);
    world.hub.files.set(`${base}/update.tar.gz`, Buffer.from('small'));
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

  it('is on trial while the updater says so, and a wish for the former one is left for it', async () => {
    const trial = { offer: 'rollout-1', version: RUNNING, back: false, from: 'kept', to: 'new', attempts: 1 };
    await writeFile(join(program, 'trial'), JSON.stringify(trial));
    expect((await offer(RUNNING)).state).toBe(UpdateState.TRIAL);
    expect((await offer('1.0.0', { back: true })).state).toBe(UpdateState.WORKING);
    expect(JSON.parse(await readFile(join(world.state, 'update/request.json'), 'utf8'))).toMatchObject({
      version: '1.0.0',
      back: true,
    });
    expect(await asked()).toBe(false);
  });

  it('has failed by its crashes when the updater says so', async () => {
    const outcome = { offer: 'rollout-1', version: '2.0.0', state: 'failed', why: 'it crashed', crashes: 3 };
    await writeFile(join(program, 'update.json'), JSON.stringify({ ...outcome, at: new Date().toISOString() }));
    expect(await offer('2.0.0')).toMatchObject({ state: UpdateState.FAILED, why: 'it crashed', crashes: 3 });
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

  it('is downloaded again when that failed, which says nothing about the version', async () => {
    expect((await offer('2.0.0')).state).toBe(UpdateState.WORKING);
    await until(async () => (await offer('2.0.0')).state === UpdateState.DOWNLOAD_FAILED);
    expect((await offer('2.0.0')).why).toContain('the hub answered 426 to /install/releases/2.0.0/manifest.json');
    expect(await asked()).toBe(false);
    release('2.0.0');
    await until(asked);
    expect(await readFile(join(world.state, 'update/package.tar.gz'), 'utf8')).toBe('package');
  });

  it('is said to make progress while it is downloaded', async () => {
    release('2.0.0');
    let more = () => {};
    world.hub.serve = (request, response) => {
      if (!request.url?.endsWith('/agent.tar.gz')) return false;
      response.writeHead(200, { 'content-length': 7 }).write('pac');
      more = () => response.write('ka');
      return true;
    };
    const downloaded = async () => Number((await offer('2.0.0')).downloaded);
    await until(async () => (await downloaded()) === 3);
    expect((await offer('2.0.0')).state).toBe(UpdateState.WORKING);
    more();
    await until(async () => (await downloaded()) === 5);
  });

  it.each([
    ['without the runtime when it has the same one', 'the runtime', 'small'],
    ['whole when it has another one', 'another runtime', 'package'],
  ])('is downloaded %s', async (_what, node, expected) => {
    await mkdir(join(program, 'versions/kept/lib'));
    await writeFile(join(program, 'versions/kept/lib/node'), node);
    await symlink(join(program, 'versions/kept'), join(program, 'steady'));
    const sha256 = createHash('sha256').update('the runtime').digest('hex');
    release('2.0.0', { runtime: createHash('sha256').update(`${sha256}  lib/node\n`).digest('hex') });
    await offer('2.0.0');
    await until(asked);
    expect(await readFile(join(world.state, 'update/package.tar.gz'), 'utf8')).toBe(expected);
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
