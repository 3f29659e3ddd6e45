import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestHub } from './hub.ts';
import { TerminalClient } from './terminal-client.ts';

jest.setTimeout(60_000);

const run = promisify(execFile);
const agent = join(import.meta.dirname, '..');
const packages = join(agent, 'dist/packages');
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
    for (const { file } of list) hub.files.set(`/install/packages/${file}`, await readFile(join(packages, file)));
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
  async function install(values: { token?: string; manifest?: string } = {}, env: Record<string, string> = {}) {
    const lines = list.map(({ os, arch, file, sha256, size }) => `${os}-${arch} ${file} ${sha256} ${size}`);
    const script = (await readFile(join(agent, 'packaging/install.sh'), 'utf8'))
      .replaceAll('@HUB@', hub.url)
      .replaceAll('@ACCOUNT@', 'account-1')
      .replaceAll('@TOKEN@', values.token ?? hub.token)
      .replaceAll('@MANIFEST@', values.manifest ?? lines.join('\n'));
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
    ['a damaged package', { manifest: 'bad-sha' }, {}, /is damaged: its sha256 is [0-9a-f]{64}, expected 0{64}/],
    ['another processor', { manifest: 'linux-riscv64 a b 1' }, {}, /the hub has no agent for linux-/],
    ['a bad token', { token: 'wrong' }, {}, /the hub refused to enrol this device: enrol: the token is not valid/],
    ['a wrong service', {}, { WARREN_SERVICE: 'maybe' }, /WARREN_SERVICE is "maybe": expected "systemd" or "none"/],
    ['a prefix with a blank', {}, { WARREN_PREFIX: '/tmp/a b' }, /WARREN_PREFIX is "\/tmp\/a b"/],
    ['a wrong user', {}, { WARREN_SHELL_USER: 'a;b' }, /WARREN_SHELL_USER is "a;b"/],
  ])('stops at %s', async (_what, values: { manifest?: string; token?: string }, env, expected) => {
    const bad = list.map(({ os, arch, file, size }) => `${os}-${arch} ${file} ${'0'.repeat(64)} ${size}`).join('\n');
    const { code, output } = await install(
      values.manifest === 'bad-sha' ? { manifest: bad } : values,
      env as Record<string, string>,
    );
    expect(output).toMatch(expected);
    expect(code).not.toBe(0);
  });
});
