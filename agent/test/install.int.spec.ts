import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { Installation, makePackages, readPackage, type Package, type Values } from './installation.ts';
import { TerminalClient } from './terminal-client.ts';

const run = promisify(execFile);

describe('the installer, without root and service', () => {
  let world: Installation;
  let child: ChildProcess | undefined;
  let list: Package[];

  beforeAll(async () => (list = await makePackages()));
  beforeEach(async () => (world = await Installation.make(list)));

  afterEach(async () => {
    if (child && child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    child = undefined;
    await world.end();
  });

  it('installs, enrols, runs, is connected, opens a shell, and stops', async () => {
    const { code, output } = await world.install();
    expect(output).toContain('Enrolled as device device-1 of Acme.');
    expect(output).not.toContain(world.hub.token);
    expect(code).toBe(0);
    const before = await run(world.launcher, ['status']).catch((error: { code: number; stdout: string }) => error);
    expect(before).toMatchObject({ code: 1, stdout: expect.stringContaining('Not running') as unknown as string });
    child = spawn(world.launcher, ['run'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let log = '';
    child.stdout!.on('data', (text) => (log += String(text)));
    const status = await run(world.launcher, ['status', '--wait', '20']);
    expect(status.stdout).toMatch(/^Connected since .*: device device-1 of Acme/);
    const second = await run(world.launcher, ['run']).catch((error: { code: number; stderr: string }) => error);
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('an agent already runs') as unknown as string,
    });
    const link = await world.hub.linked(1);
    const terminal = new TerminalClient(link.client);
    terminal.type('echo $((6*7)); env | grep -c TOKEN\r');
    await terminal.shows('42\r\n0\r\n');
    child.kill('SIGTERM');
    const [exit] = (await once(child, 'exit')) as [number];
    expect(exit).toBe(0);
    expect(log).toContain('"msg":"agent stopped"');
    expect(log).not.toContain(world.hub.token);
  });

  it('upgrades an enrolled device without using the token', async () => {
    await world.install();
    const key = await readFile(join(world.folder, 'prefix/state/key.pem'), 'utf8');
    await symlink('/nowhere', join(world.folder, 'prefix/versions/an-old-one'));
    const again = await world.install({ token: 'used-up' });
    expect(again.output).toContain('Already enrolled as device device-1 of Acme.');
    expect(again.code).toBe(0);
    expect(await readFile(join(world.folder, 'prefix/state/key.pem'), 'utf8')).toBe(key);
    expect(world.hub.enrolled).toHaveLength(1);
    const current = await readlink(join(world.folder, 'prefix/current'));
    expect(await readdir(join(world.folder, 'prefix/versions'))).toEqual([current.split('/').pop()]);
  });

  it('downloads with wget where there is no curl', async () => {
    const { code, output } = await world.install({}, await world.withoutCurl());
    expect(output).toContain('Enrolled as device');
    expect(code).toBe(0);
  });

  it.each([
    ['curl', 'breaks off', (response: ServerResponse) => response.destroy()],
    ['curl', 'stalls', () => {}],
    ['wget', 'breaks off', (response: ServerResponse) => response.destroy()],
    ['wget', 'stalls', () => {}],
  ])('resumes with %s a download that %s', async (tool, _what, then) => {
    const own = list.find(({ arch }) => arch === process.arch)!;
    const bytes = await readPackage(own.file);
    const ranges: (string | undefined)[] = [];
    world.hub.serve = ({ url, headers }: IncomingMessage, response) => {
      if (!url?.endsWith(own.file)) return false;
      ranges.push(headers.range);
      const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
      const length = { 'content-length': bytes.length - from };
      if (from === 0) {
        const half = bytes.subarray(0, bytes.length / 2);
        response.writeHead(200, length).write(half, () => then(response));
      } else {
        const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
        response.writeHead(206, { ...length, ...range }).end(bytes.subarray(from));
      }
      return true;
    };
    const { code, output } = await world.install({ stall: 2 }, tool === 'wget' ? await world.withoutCurl() : {});
    expect(output).toContain('Enrolled as device');
    expect(code).toBe(0);
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  });

  it.each([
    [
      'a package that is not in the signed list',
      { manifest: 'bad-sha' },
      {},
      65,
      /is not in the signed list of packages/,
    ],
    ['a key that did not sign', { key: `${'A'.repeat(43)}=` }, {}, 65, /is not signed by the release key of this hub/],
    ['another processor', { manifest: 'linux-riscv64 a b 1' }, {}, 71, /the hub has no agent for linux-/],
    ['a bad token', { token: 'wrong' }, {}, 77, /the hub refused to enrol this device: enrol: the token is not valid/],
    ['a wrong service', {}, { WARREN_SERVICE: 'maybe' }, 64, /WARREN_SERVICE is "maybe": expected "systemd" or "none"/],
    ['a prefix with a blank', {}, { WARREN_PREFIX: '/tmp/a b' }, 64, /WARREN_PREFIX is "\/tmp\/a b"/],
    ['a wrong user', {}, { WARREN_SHELL_USER: 'a;b' }, 64, /WARREN_SHELL_USER is "a;b"/],
    ['no such authority', {}, { WARREN_CA: 'no.pem' }, 64, /WARREN_CA is "\/.*\/no\.pem": there is no such file/],
    ['no way out', {}, { http_proxy: 'http://127.0.0.1:9' }, 69, /can't download .*127\.0\.0\.1/],
  ])('stops at %s', async (_what, values: Values, env, status, expected) => {
    const bad = list.map(({ os, arch, file, size }) => `${os}-${arch} ${file} ${'0'.repeat(64)} ${size}`).join('\n');
    const { code, output } = await world.install(
      values.manifest === 'bad-sha' ? { manifest: bad } : values,
      env as Record<string, string>,
    );
    expect(output).toMatch(expected);
    expect(code).toBe(status);
    // One line that says why, and nothing left behind.
    expect(output.split('\n').filter((line) => /^warren(-agent)?:/.test(line))).toHaveLength(1);
    expect(await readdir(world.folder)).toEqual([]);
  });

  it('stops at a damaged package, and leaves nothing behind', async () => {
    const own = list.find(({ arch }) => arch === process.arch)!;
    const bytes = Buffer.from(await readPackage(own.file));
    bytes.writeUInt8(bytes.readUInt8(1000) ^ 1, 1000);
    world.hub.files.set(`/install/packages/${own.file}`, bytes);
    const { code, output } = await world.install();
    expect(output).toMatch(/is damaged: its sha256 is [0-9a-f]{64}, expected [0-9a-f]{64}/);
    expect([code, await readdir(world.folder)]).toEqual([65, []]);
  });

  it.each([
    [3600, 'behind'],
    [-3600, 'ahead of'],
  ])('stops when the hub is %d seconds away', async (seconds, direction) => {
    world.hub.clock = () => new Date(Date.now() + seconds * 1000);
    const { code, output } = await world.install();
    expect(output).toMatch(
      new RegExp(`^warren: the clock of this device is (59|60) minutes ${direction} the hub's .*\\n$`),
    );
    expect([code, await readdir(world.folder)]).toEqual([75, []]);
  });

  it('keeps the way out for the agent, readable by its user alone', async () => {
    const { code } = await world.install(
      {},
      { http_proxy: "http://fleet:it's@proxy.example:3128", no_proxy: 'localhost' },
    );
    expect(code).toBe(0);
    const file = join(world.folder, 'prefix/network.env');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const read = await run('sh', ['-c', `. ${file}; printf %s "$HTTP_PROXY $NO_PROXY"`]);
    expect(read.stdout).toBe("http://fleet:it's@proxy.example:3128 localhost");
  });

  it.each(['WARREN_CA', 'SSL_CERT_FILE'])('has the agent trust what %s names, later too', async (name) => {
    const { code, output } = await world.install({}, { [name]: await world.secure() });
    expect(output).toContain('Enrolled as device device-1 of Acme.');
    expect(code).toBe(0);
    child = spawn(world.launcher, ['run'], { stdio: 'ignore', env: { PATH: process.env['PATH'] } });
    const status = await run(world.launcher, ['status', '--wait', '20']);
    expect(status.stdout).toMatch(/^Connected since/);
  });

  it('uninstalls itself on request', async () => {
    await world.install();
    const refused = await run(world.launcher, ['uninstall']).catch((error: { code: number; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining('say --yes') as unknown as string });
    const { stdout } = await run(world.launcher, ['uninstall', '--yes']);
    expect(stdout).toContain('The agent is gone.');
    expect(await readdir(world.folder)).toEqual([]);
  });
});
