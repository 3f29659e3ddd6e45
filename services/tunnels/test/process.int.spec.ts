import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { settled, until } from '@warren/infra/until';
import { readFileSync } from 'node:fs';
import type { TestDevice } from './fake.agent.ts';
import { TunnelsProcess } from './tunnels.process.ts';
import { linksOf } from './world.ts';

const MEGABYTE = 1 << 20;

describe('the tunnels process', () => {
  let tunnels: TunnelsProcess;

  const presence = (device: TestDevice) =>
    linksOf(tunnels.events)
      .filter(({ deviceId, connected }) => deviceId === device.id && connected)
      .map(({ epoch }) => epoch);
  const residentBytes = () => {
    const status = readFileSync(`/proc/${tunnels.child?.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  };

  beforeAll(async () => {
    tunnels = await TunnelsProcess.prepare();
    await tunnels.start();
  });

  afterAll(() => tunnels?.stop());

  it('keeps idle connections for longer than proxies do', async () => {
    const answer = await fetch(tunnels.url);
    expect(answer.headers.get('keep-alive')).toBe('timeout=65');
  });

  it('comes back after a kill -9, and its devices with it at once', async () => {
    const device = tunnels.neighbours.device();
    const first = await tunnels.dial(device);
    await until(() => presence(device).length === 1);
    await tunnels.kill('SIGKILL');
    await until(() => !first.alive);
    await tunnels.start();
    // How long a program takes to load is the machine's affair; what it finds of the one before holds it up no longer.
    const readyAt = Date.now();
    const again = await tunnels.dial(device);
    await until(() => presence(device).length === 2);
    expect(Date.now() - readyAt).toBeLessThan(5_000);
    const [before = 0n, after = 0n] = presence(device);
    expect(after > before).toBe(true);
    again.kill();
  });

  it('stays small while a browser does not read, and loses nothing', async () => {
    const device = tunnels.neighbours.device();
    const agent = await tunnels.dial(device);
    await until(() => presence(device).length > 0);
    const browser = tunnels.browser(device);
    const { socket } = browser;
    socket.emit('register', { cols: 80, rows: 24, encoding: 'binary', acks: true });
    await until(() => browser.heard('register_status')?.['success'] === true);
    const piece = Buffer.alloc(64 * 1024, 'm');
    for (let index = 0; index < 256; index++) await agent.last().print(piece);
    await until(() => browser.outputs.length > 0);
    const before = residentBytes();
    const raw = (socket.io.engine.transport as unknown as { ws: { _socket: import('node:net').Socket } }).ws._socket;
    raw.pause();
    let printed = 256;
    let going = true;
    const printing = (async () => {
      for (; going && printed < 4_096; printed++) await agent.last().print(piece);
    })();
    // The stream has stopped when nothing more is taken for a while.
    const last = await settled(() => printed);
    expect(printed).toBeLessThan(1_000);
    expect(residentBytes() - before).toBeLessThan(64 * MEGABYTE);
    raw.resume();
    await until(() => printed > last + 500, 40_000);
    expect(residentBytes() - before).toBeLessThan(64 * MEGABYTE);
    going = false;
    await printing;
    const received = () => browser.outputs.reduce((sum, { output }) => sum + output.length, 0);
    await until(() => received() === agent.last().offset, 40_000);
    let expected = 0;
    for (const { output, offset } of browser.outputs) {
      expect(offset).toBe(expected);
      expected += (output as Buffer).length;
    }
    socket.disconnect();
    agent.kill();
  });

  it('stops in good order when asked to', async () => {
    const device = tunnels.neighbours.device();
    const agent = await tunnels.dial(device);
    await until(() => presence(device).length > 0);
    await tunnels.kill('SIGTERM');
    expect(tunnels.child?.exitCode).toBe(0);
    // It was sent before the end, and is on its way here still.
    await until(() => agent.goneAway);
    await until(() => linksOf(tunnels.events).some(({ deviceId, connected }) => deviceId === device.id && !connected));
  });
});
