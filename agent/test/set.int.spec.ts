import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseChange } from '../src/change.ts';
import { changeSetting } from '../src/set.ts';
import { World } from './world.ts';

const main = join(import.meta.dirname, '../src/main.ts');
const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('warren-agent set', () => {
  let program: string;
  beforeEach(async () => (program = await mkdtemp(join(tmpdir(), 'warren-set-'))));
  afterEach(() => rm(program, { recursive: true, force: true }));

  const set = (args: string[], { input = '', uid }: { input?: string; uid?: number } = {}) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const env = { PATH: process.env['PATH']!, HOME: program, WARREN_PROGRAM: program, WARREN_STATE: program };
      const node = ['--disable-warning=ExperimentalWarning', main, 'set', ...args];
      const options = { env, ...(uid !== undefined && { uid, gid: uid }) };
      const child = execFile(process.execPath, node, options, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
      child.stdin!.end(input);
    });
  const network = () => join(program, 'network.env');
  /** The settings as the launcher takes them. */
  const sourced = () =>
    execFileSync('sh', ['-c', `. ${network()}; printf %s "$HTTPS_PROXY $HTTP_PROXY $NO_PROXY"`], {
      env: {},
    }).toString();

  it('puts a proxy in place of another, keeps the rest and the password to itself, and removes it', async () => {
    await writeFile(network(), "NO_PROXY='localhost'\nexport NO_PROXY\n");
    const first = await set(['proxy', "http://fleet:it's@proxy.example:3128"]);
    expect(first).toEqual({
      code: 0,
      err: '',
      out: 'proxy: was none, is now http://…@proxy.example:3128.\nRestart the agent for it to count.\n',
    });
    const address = "http://fleet:it's@proxy.example:3128";
    expect(sourced()).toBe(`${address} ${address} localhost`);
    const typed = await set(['proxy', '-'], { input: 'http://other:8080\n' });
    expect(typed.out).toContain('was http://…@proxy.example:3128, is now http://other:8080.');
    expect(sourced()).toBe('http://other:8080 http://other:8080 localhost');
    expect((await set(['proxy', 'none'])).code).toBe(0);
    expect(sourced()).toBe('  localhost');
    expect(await readdir(program)).toEqual(['network.env']);
  });

  asRoot('keeps the owner and the rights of the file, and is for root alone', async () => {
    await writeFile(network(), '');
    await chown(network(), 0, 65534);
    await chmod(network(), 0o640);
    await set(['proxy', 'http://proxy:3128']);
    const { uid, gid, mode } = await stat(network());
    expect([uid, gid, mode & 0o777]).toEqual([0, 65534, 0o640]);
    await chmod(program, 0o755);
    const { code, err } = await set(['name', 'other'], { uid: 65534 });
    expect([code, err]).toEqual([
      77,
      `warren-agent: changing ${program} needs the right to write there: run it with sudo\n`,
    ]);
  });

  it('keeps a new proxy readable by its owner only', async () => {
    await set(['proxy', 'http://proxy:3128']);
    expect((await stat(network())).mode & 0o777).toBe(0o600);
  });

  it('restarts the service for the user of the shells, who must be there', async () => {
    const lines: string[] = [];
    let restarts = 0;
    const service = { restart: async () => void restarts++ };
    const change = (user: string) =>
      changeSetting(
        program,
        parseChange(['shell-user', user], () => ''),
        service,
        (line) => void lines.push(line),
      );
    await change('daemon');
    expect(await readFile(join(program, 'shell-user'), 'utf8')).toBe('daemon\n');
    expect([restarts, lines[0]]).toEqual([1, 'shell-user: was none, is now daemon.']);
    await expect(change('nobody-here')).rejects.toThrow('shell-user is "nobody-here": this device has no such user');
    expect(restarts).toBe(1);
    expect(await set(['shell-user', 'daemon'])).toMatchObject({
      code: 64,
      err: expect.stringContaining('without a service'),
    });
  });

  it('gives the device a name that the hub hears, and the name of the host again', async () => {
    const world = await World.make();
    await world.start({ program });
    const { client } = await world.hub.linked(1);
    const name = async () => {
      for await (const { hostname } of client.watchFacts({})) return hostname;
      return undefined;
    };
    expect(await name()).toBe(hostname());
    expect((await set(['name', 'Pump 7'])).out).toContain('name: was none, is now Pump 7.');
    expect(await name()).toBe('Pump 7');
    expect((await set(['name', 'none'])).out).toContain('name: was Pump 7, is now none.');
    expect(await name()).toBe(hostname());
    await world.end();
  });

  it('names a wrong value', async () => {
    expect(await set(['proxy', 'ftp://fleet:s3cret@proxy'])).toEqual({
      code: 64,
      out: '',
      err: 'warren-agent: proxy is "ftp://…@proxy": expected an address such as http://proxy.example.com:3128, - to type it, or none\n',
    });
    expect(await readdir(program)).toEqual([]);
  });
});
