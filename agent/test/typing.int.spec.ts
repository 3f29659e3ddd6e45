import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalClient } from './terminal-client.ts';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

/** Distinct lines with a total of so many bytes. */
function numbered(bytes: number): Buffer {
  const lines: string[] = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    const line = `${index}:${(index * 7919) % 10_007}\n`;
    lines.push(line);
    size += line.length;
  }
  return Buffer.from(lines.join(''));
}

describe('what is typed', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await world.start();
  });
  afterEach(() => world.end());

  /** A shell in which whatever is typed goes into a file as it comes. */
  const recorder = async (): Promise<{ terminal: TerminalClient; written: () => Promise<Buffer> }> => {
    const file = join(world.state, 'typed');
    const terminal = await world.open({ writer: 'screen' });
    terminal.type(`stty raw -echo; echo go$((1)); exec cat > ${file}\r`);
    await terminal.shows('go1');
    return { terminal, written: () => readFile(file).catch(() => Buffer.alloc(0)) };
  };

  it('reaches the program once, wherever the link breaks under it', async () => {
    const { terminal: first, written } = await recorder();
    await first.until(() => first.typed > 0);
    const text = numbered(512 * 1024);
    const before = first.typed;
    let terminal = first;
    for (let cut = 1; cut <= 4; cut++) {
      const goal = before + Math.floor((text.length * cut) / 5);
      for (let at = terminal.typed - before; at < text.length; at += 16_384) {
        terminal.type(text.subarray(at, at + 16_384));
      }
      await terminal.until(() => terminal.typed >= goal);
      world.hub.links.at(-1)!.socket.destroy();
      await terminal.ended;
      const { client } = await world.hub.linked(cut + 1);
      const { session, offset } = terminal;
      terminal = new TerminalClient(client, { session, offset, writer: 'screen' });
      await terminal.until(() => terminal.typedAtOpen >= 0);
      expect(terminal.typedAtOpen).toBeGreaterThanOrEqual(goal);
    }
    terminal.type(text.subarray(terminal.typed - before));
    await until(async () => (await written()).length >= text.length);
    expect((await written()).equals(text)).toBe(true);
  });

  it('is counted for each screen, and acknowledged while it is typed', async () => {
    const { terminal } = await recorder();
    const start = terminal.typed;
    terminal.type('x'.repeat(10));
    await terminal.until(() => terminal.typed >= start + 10 && terminal.typed > 50);
    const nameless = await world.open();
    nameless.type('echo $((6*7))\r');
    await nameless.shows('42');
    expect(nameless.typed).toBe(0);
  });
});

describe("a person's terminals", () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await world.start();
  });
  afterEach(() => world.end());

  const list = async (userId = 'user-1') => (await world.hub.links[0]!.client.listTerminals({ userId })).terminals;

  it('are listed with what runs in them, and no one else sees them', async () => {
    const terminal = await world.open();
    terminal.type('echo on$((1)); exec sleep 1000\r');
    await terminal.shows('on1');
    await until(async () => (await list())[0]?.command === 'sleep');
    const [shown] = await list();
    expect(shown).toMatchObject({ session: terminal.session, attached: true, size: { cols: 80, rows: 24 } });
    expect(Number(shown!.usedAt)).toBeGreaterThanOrEqual(Number(shown!.startedAt));
    expect(Math.abs(Number(shown!.startedAt) - Date.now())).toBeLessThan(60_000);
    expect(await list('user-2')).toEqual([]);
    terminal.abort();
    await until(async () => (await list())[0]?.attached === false);
  });

  it('end on request: one, or all of one person, or all', async () => {
    const { client } = await world.hub.linked(1);
    const [one, two, other] = [await world.open(), await world.open(), await world.open({ userId: 'user-2' })];
    for (const terminal of [one, two, other]) await terminal.until(() => terminal.session !== '');
    expect(await client.endTerminals({ userId: 'user-2', session: one.session })).toMatchObject({ ended: 0 });
    expect(await client.endTerminals({ userId: 'user-1', session: one.session })).toMatchObject({ ended: 1 });
    await one.ended;
    expect(one.exit).toMatchObject({ signal: 'SIGHUP' });
    expect(await client.endTerminals({ userId: 'user-1' })).toMatchObject({ ended: 1 });
    await two.ended;
    expect((await list('user-2')).length).toBe(1);
    expect(await client.endTerminals({ exceptUserIds: ['user-2'] })).toMatchObject({ ended: 0 });
    expect(await client.endTerminals({})).toMatchObject({ ended: 1 });
    await other.ended;
    expect(await list('user-2')).toEqual([]);
  });
});
