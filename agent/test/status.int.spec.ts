import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnrolment } from '../src/state/enrolment.ts';
import { readStatus, StatusFile } from '../src/state/status.ts';
import { statusInWords } from '../src/status.ts';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

const VARIABLES = ['HTTP_PROXY', 'http_proxy'];

const canMount =
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

/** Accepts connections and says nothing. */
class SilentServer {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => {
    this.sockets.add(socket);
    socket.on('error', () => {}).resume();
  });

  async start(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describe('the status of an agent that is not connected', () => {
  let world: World;
  let silent: SilentServer;
  let runtime: string;
  const said = async () => {
    const status = await readStatus(world.state, [runtime]);
    return statusInWords(status, (await readEnrolment(world.state))!, Date.now());
  };
  const dialling = async (pattern: RegExp) => {
    await until(async () => pattern.test((await said()).text));
    return said();
  };
  const start = (hub: string) => world.startAt(hub, { runtime });

  beforeEach(async () => {
    for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
    world = await World.make();
    silent = new SilentServer();
    runtime = await mkdtemp(join(tmpdir(), 'warren-runtime-'));
  });

  afterEach(async () => {
    for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
    silent.stop();
    await world.end();
    await rm(runtime, { recursive: true, force: true });
  });

  it('names an unanswered TLS handshake while it dials', async () => {
    const hub = `https://localhost:${await silent.start()}`;
    await world.enrol();
    await start(hub);
    const { text, exit } = await dialling(/TLS/);
    expect(text).toMatch(
      /^Not connected \(dialling: TLS: the handshake for \d+ s\): device device-1 of Acme, hub https/,
    );
    expect(exit).toBe(1);
  });

  it('names the hub that does not answer, and the proxy that does not', async () => {
    const port = await silent.start();
    await world.enrol();
    await start(`http://127.0.0.1:${port}`);
    expect((await dialling(/dialling/)).text).toContain("upgrade: waiting for the hub's answer");
    await world.stopAgent();
    process.env['HTTP_PROXY'] = `http://127.0.0.1:${port}`;
    await start('http://hub.invalid');
    expect((await dialling(/proxy/)).text).toContain('proxy: waiting for its answer');
  });

  it('says what failed and when it tries again', async () => {
    await world.enrol();
    await start('http://127.0.0.1:9');
    const { text } = await dialling(/next attempt/);
    expect(text).toMatch(
      /^Not connected \(connection: nothing listens there \(.*\)\): .* Now waiting: the next attempt begins in \d+ s\.$/,
    );
  });

  it('is right when nothing can be written to the state folder, and gone when the agent is', async () => {
    await world.enrol();
    // As if the disk had filled up after the agent had been connected.
    const former = new StatusFile(world.state, undefined, () => {});
    former.set({ state: 'connected' });
    await former.close();
    await world.start({ runtime });
    await until(async () => ((await readStatus(world.state, [runtime]))?.change ?? 0) > 1);
    await until(async () => (await said()).exit === 0);
    await rm(join(world.state, 'status.json'));
    await mkdir(join(world.state, 'status.json'));
    await world.hub.stop();
    expect((await dialling(/connection:/)).exit).toBe(1);
    expect(await readdir(join(world.state, 'status.json'))).toEqual([]);
    await world.stopAgent();
    expect(await readdir(runtime)).toEqual([]);
  });

  const mounts = canMount ? it : it.skip;
  mounts.each([
    ['full', 'dd if=/dev/zero of=$0/filler bs=4k status=none 2>/dev/null; true'],
    ['read-only', 'mount -o remount,ro $0'],
  ])('is right in a folder that is %s', async (_what, spoil) => {
    const sh = (script: string) => execFileSync('sh', ['-c', script, world.state]);
    sh('mount -t tmpfs -o size=128k tmpfs $0');
    try {
      await world.start({ runtime });
      await until(async () => (await said()).exit === 0);
      sh(spoil);
      expect(() => sh('touch $0/more && head -c 8192 /dev/zero >$0/more')).toThrow();
      await world.hub.stop();
      expect((await dialling(/connection: nothing listens/)).exit).toBe(1);
      await world.stopAgent();
    } finally {
      sh('umount $0');
    }
  });

  it('is never that of a process that has ended', async () => {
    await world.start({ runtime });
    await until(async () => (await readStatus(world.state, [runtime]))?.state === 'connected');
    const [file = ''] = await readdir(runtime);
    const other = execFile('sleep', ['1000']);
    const left = { pid: other.pid, started: 1, change: 999, state: 'connected', since: new Date().toISOString() };
    await world.stopAgent();
    await writeFile(join(runtime, file), JSON.stringify(left));
    await rm(join(world.state, 'status.json'));
    expect((await said()).text).toMatch(/^Not running: /);
    other.kill();
  });
});
