import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markOf } from '../src/system/processes.ts';
import { TerminalClient } from './terminal-client.ts';
import { World } from './world.ts';

/** Settles when there is no process `pid`. */
async function gone(pid: number): Promise<void> {
  while (await markOf(pid)) await sleep(20);
}

describe('after a broken link, the agent', () => {
  let world: World;
  beforeEach(async () => (world = await World.make()));
  afterEach(() => world.end());

  it('dials again and comes back to the same session, no byte lost or twice', async () => {
    await world.start();
    const first = await world.open();
    first.type('stty -echo; PS1=; echo begin$((1)); (for i in $(seq 100000); do echo $i; done)\r');
    await first.until(() => first.offset > 100_000);
    world.hub.links[0]!.socket.destroy();
    await first.ended;
    const link = await world.hub.linked(2);
    const second = new TerminalClient(link.client, { session: first.session, offset: first.offset });
    await second.shows('\n100000\r\n');
    expect(second.from).toBe(first.offset);
    const text = Buffer.concat([first.output, second.output]).toString();
    const numbers = text.split('\r\n').filter((line) => /^\d+$/.test(line));
    expect(numbers).toEqual(Array.from({ length: 100_000 }, (_, i) => String(i + 1)));
  });

  it('lets the newer of two attachments win, and only of the same person', async () => {
    await world.start();
    const first = await world.open();
    first.type('echo mine$((1))\r');
    await first.shows('mine1');
    const stranger = await world.open({ session: first.session, userId: 'user-2' });
    await stranger.ended;
    expect(stranger.refused).toBe('this terminal has ended');
    const second = await world.open({ session: first.session });
    await first.ended;
    expect(first.refused).toBe('this terminal was taken over by another window');
    await second.shows('mine1');
    second.type('echo still$((1))\r');
    await second.shows('still1');
  });

  it('keeps the output and the exit of a program that ends meanwhile', async () => {
    await world.start();
    const first = await world.open();
    const left = join(world.state, 'left');
    first.type(`stty -echo; echo pid=$$.; until [ -e '${left}' ]; do sleep 0.05; done; echo got$((1)); exit 7\r`);
    await first.until(() => /pid=\d+\./.test(first.text));
    first.abort();
    await first.ended;
    await writeFile(left, '');
    await gone(Number(/pid=(\d+)\./.exec(first.text)![1]));
    const second = await world.open({ session: first.session, offset: first.offset });
    await second.ended;
    expect(first.text + second.text).toContain('got1');
    expect(second.exit).toEqual({ code: 7, signal: '' });
  });

  it('waits longer and longer while the hub is away, and honours Retry-After', async () => {
    await world.start();
    await world.hub.linked(1);
    world.hub.refuse = () => ({ status: 503, headers: { 'retry-after': '2' } });
    world.hub.links[0]!.socket.destroy();
    await world.hub.dialled(3);
    expect(world.hub.dials[2]!.at - world.hub.dials[1]!.at).toBeGreaterThanOrEqual(1_950);
    world.hub.refuse = undefined;
    await world.hub.linked(2);
  });

  it('dials again at once on GOAWAY while the old link finishes', async () => {
    await world.start();
    const first = await world.open();
    first.type('echo before$((1))\r');
    await first.shows('before1');
    world.hub.links[0]!.session.goaway();
    await world.hub.linked(2);
    first.type('echo after$((1))\r');
    await first.shows('after1');
    first.close();
    await first.ended;
    expect(first.exit?.signal).toBe('SIGHUP');
  });

  it('falls back to a WebSocket where the upgrade is refused', async () => {
    world.hub.refuse = (upgrade) => (upgrade === 'websocket' ? undefined : { status: 400 });
    await world.start();
    const link = await world.hub.linked(1);
    expect(link.kind).toBe('websocket');
    const terminal = await world.open();
    terminal.type("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo END$((1))\r");
    await terminal.shows('END1');
    terminal.close();
    await terminal.ended;
    link.socket.destroy();
    expect((await world.hub.linked(2)).kind).toBe('websocket');
  });

  it('learns the time from a hub that refuses its token', async () => {
    await world.enrol();
    const real = Date.now;
    Date.now = () => real() - 365 * 86_400_000;
    try {
      await world.start();
      // The hub of this test runs in the same process, so its clock is put right by the answer's Date header.
      world.hub.refuse = () => ({ status: 401, headers: { date: new Date(real()).toUTCString() } });
      await world.hub.dialled(1);
      Date.now = real;
      world.hub.refuse = undefined;
      await world.hub.dialled(2);
    } finally {
      Date.now = real;
    }
  });
});
