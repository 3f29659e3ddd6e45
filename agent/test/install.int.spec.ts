import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestHub } from './hub.ts';
import { TerminalClient } from './terminal-client.ts';

jest.setTimeout(60_000);

const run = promisify(execFile);
const agent = join(import.meta.dirname, '..');
const packages = join(agent, 'dist/packages');
/** What the hub puts into the script, when it differs. */
interface Values {
  token?: string;
  manifest?: string;
  key?: string;
}

interface Package {
  os: string;
  arch: string;
  file: string;
  sha256: string;
  size: number;
}

describe('the installer, without root and service', () => {
  let hub: TestHub;
  let folder: string;
  let child: ChildProcess | undefined;
  let list: Package[];

  beforeAll(async () => {
    await run(process.execPath, [join(agent, 'packaging/build/package.ts')]);
    list = (JSON.parse(await readFile(join(packages, 'manifest.json'), 'utf8')) as { packages: Package[] }).packages;
  });

  beforeEach(async () => {
    hub = await new TestHub().start();
    folder = await mkdtemp(join(tmpdir(), 'warren-install-'));
    for (const file of ['manifest.json', 'manifest.json.sig', ...list.map((entry) => entry.file)]) {
      hub.files.set(`/install/packages/${file}`, await readFile(join(packages, file)));
    }
  });

  afterEach(async () => {
    if (child && child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    child = undefined;
    await hub.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The script as the hub gives it, run as `curl … | sh`. */
  async function install(values: Values = {}, env: Record<string, string> = {}) {
    const lines = list.map(({ os, arch, file, sha256, size }) => `${os}-${arch} ${file} ${sha256} ${size}`);
    const script = (await readFile(join(agent, 'packaging/install.sh'), 'utf8'))
      .replaceAll('@HUB@', hub.url)
      .replaceAll('@ACCOUNT@', 'account-1')
      .replaceAll('@TOKEN@', values.token ?? hub.token)
      .replaceAll('@MANIFEST@', values.manifest ?? lines.join('\n'))
      .replaceAll('@RELEASE_KEY@', values.key ?? (await readFile(join(packages, 'release-key.pub'), 'utf8')).trim());
    const shell = spawn('sh', [], {
      cwd: folder,
      env: { PATH: process.env['PATH']!, HOME: folder, WARREN_PREFIX: 'prefix', WARREN_SERVICE: 'none', ...env },
    });
    let output = '';
    shell.stdout.on('data', (text) => (output += String(text)));
    shell.stderr.on('data', (text) => (output += String(text)));
    shell.stdin.on('error', () => {});
    shell.stdin.end(script);
    const [code] = (await once(shell, 'close')) as [number];
    return { code, output };
  }

  const launcher = () => join(folder, 'prefix/bin/warren-agent');

  it('installs, enrols, runs, is connected, opens a shell, and stops', async () => {
    const { code, output } = await install();
    expect(output).toContain('Enrolled as device device-1 of Acme.');
    expect(output).not.toContain(hub.token);
    expect(code).toBe(0);
    const before = await run(launcher(), ['status']).catch((error: { code: number; stdout: string }) => error);
    expect(before).toMatchObject({ code: 1, stdout: expect.stringContaining('Not running') as unknown as string });
    child = spawn(launcher(), ['run'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let log = '';
    child.stdout!.on('data', (text) => (log += String(text)));
    const status = await run(launcher(), ['status', '--wait', '20']);
    expect(status.stdout).toMatch(/^Connected since .*: device device-1 of Acme/);
    const second = await run(launcher(), ['run']).catch((error: { code: number; stderr: string }) => error);
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('an agent already runs') as unknown as string,
    });
    const link = await hub.linked(1);
    const terminal = new TerminalClient(link.client);
    terminal.type('echo $((6*7)); env | grep -c TOKEN\r');
    await terminal.shows('42\r\n0\r\n');
    child.kill('SIGTERM');
    const [exit] = (await once(child, 'exit')) as [number];
    expect(exit).toBe(0);
    expect(log).toContain('"msg":"agent stopped"');
    expect(log).not.toContain(hub.token);
  });

  it('upgrades an enrolled device without using the token', async () => {
    await install();
    const key = await readFile(join(folder, 'prefix/state/key.pem'), 'utf8');
    await symlink('/nowhere', join(folder, 'prefix/versions/an-old-one'));
    const again = await install({ token: 'used-up' });
    expect(again.output).toContain('Already enrolled as device device-1 of Acme.');
    expect(again.code).toBe(0);
    expect(await readFile(join(folder, 'prefix/state/key.pem'), 'utf8')).toBe(key);
    expect(hub.enrolled).toHaveLength(1);
    const current = await readlink(join(folder, 'prefix/current'));
    expect(await readdir(join(folder, 'prefix/versions'))).toEqual([current.split('/').pop()]);
  });

  it('downloads with wget where there is no curl', async () => {
    const bin = join(folder, 'bin');
    await run('mkdir', [bin]);
    const tools = 'sh uname getconf sed head cut mktemp mkdir mv rm ln cat chmod tar gzip sha256sum wget id'.split(' ');
    for (const tool of tools) await symlink((await run('which', [tool])).stdout.trim(), join(bin, tool));
    const { code, output } = await install({}, { PATH: bin });
    expect(output).toContain('Enrolled as device');
    expect(code).toBe(0);
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
    const { code, output } = await install(
      values.manifest === 'bad-sha' ? { manifest: bad } : values,
      env as Record<string, string>,
    );
    expect(output).toMatch(expected);
    expect(code).toBe(status);
    // One line that says why, and nothing left behind.
    expect(output.split('\n').filter((line) => /^warren(-agent)?:/.test(line))).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('stops at a damaged package, and leaves nothing behind', async () => {
    const own = list.find(({ arch }) => arch === process.arch)!;
    const bytes = Buffer.from(await readFile(join(packages, own.file)));
    bytes.writeUInt8(bytes.readUInt8(1000) ^ 1, 1000);
    hub.files.set(`/install/packages/${own.file}`, bytes);
    const { code, output } = await install();
    expect(output).toMatch(/is damaged: its sha256 is [0-9a-f]{64}, expected [0-9a-f]{64}/);
    expect([code, await readdir(folder)]).toEqual([65, []]);
  });

  it.each([
    [3600, 'behind'],
    [-3600, 'ahead'],
  ])('stops when the hub is %d seconds away', async (seconds, direction) => {
    hub.clock = () => new Date(Date.now() + seconds * 1000);
    const { code, output } = await install();
    expect(output).toMatch(
      new RegExp(`^warren: the clock of this device is (59|60) minutes ${direction} of the hub's .*\\n$`),
    );
    expect([code, await readdir(folder)]).toEqual([75, []]);
  });

  it('keeps the way out for the agent, readable by its user alone', async () => {
    const { code } = await install({}, { http_proxy: "http://fleet:it's@proxy.example:3128", no_proxy: 'localhost' });
    expect(code).toBe(0);
    const file = join(folder, 'prefix/network.env');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const read = await run('sh', ['-c', `. ${file}; printf %s "$HTTP_PROXY $NO_PROXY"`]);
    expect(read.stdout).toBe("http://fleet:it's@proxy.example:3128 localhost");
  });

  it('goes away again, when it is told so', async () => {
    await install();
    const refused = await run(launcher(), ['uninstall']).catch((error: { code: number; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining('say --yes') as unknown as string });
    const { stdout } = await run(launcher(), ['uninstall', '--yes']);
    expect(stdout).toContain('The agent is gone.');
    expect(await readdir(folder)).toEqual([]);
  });
});
