import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inputFrame, noteFrame, pauseFrame, pinFrame, sizeFrame } from '../src/system/keeper.frames.ts';
import { KeeperClient } from './keeper-client.ts';
import { Keepers } from './keepers.ts';
import { until } from '@warren/infra/until';

const REPLAY = 2 * 1024 * 1024;

describe('a keeper', () => {
  const keepers = new Keepers();

  beforeAll(() => keepers.compile());
  beforeEach(() => keepers.start());
  afterEach(() => keepers.stop());

  it('gives a later agent the terminal as it is', async () => {
    const first = await keepers.open('stty size; echo one-$((1)); read line; stty size; echo two-$line; sleep 600');
    expect(first.version).toBe(1);
    await first.shows('24 80\r\none-1\r\n');
    expect(first.state!.note.toString()).toBe('{"of":"ada"}');
    first.type('x', 'screen', 0);
    await first.until(() => first.typed.get('screen') === 1);
    first.socket.write(sizeFrame({ cols: 100, rows: 30 }));
    first.socket.write(noteFrame(Buffer.from('{"of":"bob"}')));
    first.type('y\r', 'screen', 1);
    await first.shows('30 100\r\ntwo-xy');
    first.socket.destroy();
    const second = await KeeperClient.attach(keepers.path);
    expect(second.state).toMatchObject({ start: 0, size: { cols: 100, rows: 30 }, typed: [['screen', 3]], waiting: 0 });
    expect(second.state!.note.toString()).toBe('{"of":"bob"}');
    await second.until(() => second.end === second.state!.end);
    expect(second.bytes.toString()).toBe('24 80\r\none-1\r\nxy\r\n30 100\r\ntwo-xy\r\n');
    expect((await stat(join(keepers.folder, 'sockets'))).mode & 0o777).toBe(0o700);
  });

  it('replaces an agent that hangs', async () => {
    const first = await keepers.open('cat');
    const second = await KeeperClient.attach(keepers.path);
    await until(() => first.closed);
    second.type('hello\r');
    await second.shows('hello\r\nhello');
  });

  it('takes input once, however often it comes and wherever an agent breaks off', async () => {
    const text = Buffer.from(Array.from({ length: 40_000 }, (_, line) => `${line}\n`).join(''));
    const file = join(keepers.folder, 'typed');
    let client = await keepers.open(`stty raw -echo; echo ready; cat > typed`);
    await client.shows('ready');
    let done = 0;
    for (let cut = 0; done < text.length; cut++) {
      // What a browser sends again: from before what was taken.
      let at = Math.max(0, done - 5000);
      // The program has read what was taken before, so the keeper takes more.
      await client.until(() => client.read >= client.state!.waiting);
      for (; at < text.length && at < done + 45_000;) {
        const from = at;
        at = Math.min(at + 3001, text.length);
        client.type(text.subarray(from, at), 'screen', from);
      }
      if (at < text.length) {
        // A frame of which only a part arrives.
        const whole = inputFrame('screen', at, text.subarray(at, at + 1000));
        client.socket.end(whole.subarray(0, (cut * 97) % whole.length));
      } else await client.until(() => client.typed.get('screen') === text.length);
      if (at < text.length) client = await KeeperClient.attach(keepers.path);
      done = client.typed.get('screen') ?? 0;
    }
    await until(async () => (await readFile(file)).length >= text.length);
    expect((await readFile(file)).equals(text)).toBe(true);
  });

  it('loses and doubles no output of a flood, and lets the program wait meanwhile', async () => {
    const lines = 600_000;
    const expected = Buffer.from(`ready\r\n${Array.from({ length: lines }, (_, line) => `${line + 1}\r\n`).join('')}`);
    let client = await keepers.open(`stty -echo; echo ready; read go; seq ${lines}; sleep 600`);
    await client.shows('ready');
    client.type('\r');
    const parts: Buffer[] = [];
    let end = 0;
    const take = () => {
      parts.push(client.bytes.subarray(end - client.state!.start));
      end = client.end;
    };
    for (let cut = 1; cut <= 5; cut++) {
      const goal = Math.floor((expected.length * cut) / 6);
      await client.until(() => client.end > goal);
      client.socket.destroy();
      take();
      client = await KeeperClient.attach(keepers.path);
      expect(client.state!.start).toBeLessThanOrEqual(end);
      await client.until(() => client.end > end);
    }
    await client.until(() => client.end >= expected.length);
    take();
    expect(Buffer.concat(parts).equals(expected)).toBe(true);
  });

  it('never overwrites output that nobody has seen', async () => {
    const client = await keepers.open('seq 1000000; sleep 600');
    client.isAcking = false;
    await client.until(() => client.end > 100_000);
    client.socket.destroy();
    await until(async () => {
      const next = await KeeperClient.attach(keepers.path);
      next.isAcking = false;
      next.socket.destroy();
      expect(next.state!.start).toBe(0);
      return next.state!.end - next.state!.seen === REPLAY - 64 * 1024;
    });
    const last = await KeeperClient.attach(keepers.path);
    await last.shows('\r\n1000000\r\n');
  });

  it('keeps what an agent that has just come has not read yet', async () => {
    const lines = 2_000_000;
    const client = await keepers.open(`stty -echo; echo ready; read go; seq ${lines} & echo $! > flood; sleep 600`);
    await client.shows('ready');
    client.type('\r');
    await client.until(() => client.end > 2 * REPLAY);
    client.socket.destroy();
    const late = await KeeperClient.attach(keepers.path);
    late.socket.pause();
    const flood = await readFile(join(keepers.folder, 'flood'), 'utf8');
    const written = async () => /^wchar: (\d+)/m.exec(await readFile(`/proc/${flood.trim()}/io`, 'utf8'))?.[1];
    // The program waits once it writes nothing any more.
    let before: string | undefined;
    await until(async () => {
      await pause(250);
      return before === (before = await written());
    });
    late.socket.resume();
    await late.until(() => late.end > late.state!.end + REPLAY);
    const all = `ready\r\n${Array.from({ length: lines }, (_, line) => `${line + 1}\r\n`).join('')}`;
    expect(late.bytes.equals(Buffer.from(all).subarray(late.state!.start, late.end))).toBe(true);
  });

  it('pauses the program for an agent, and no longer than that is there', async () => {
    const client = await keepers.open('read go; seq 300000; sleep 600');
    client.socket.write(pauseFrame(true));
    client.type('\r', 'screen', 0);
    await client.until(() => client.read === 1);
    client.socket.write(sizeFrame({ cols: 90, rows: 20 }));
    client.socket.end();
    const next = await KeeperClient.attach(keepers.path);
    await next.shows('\r\n300000\r\n');
  });

  it.each([
    ['another version', 'keep 2 ID 80 24 600 0 xterm C.UTF-8 a@example.com\n'],
    ['a name that is a path', `keep 1 ${'../'.repeat(12)} 80 24 600 0 xterm C.UTF-8 a@example.com\n`],
    ['a size too large', 'keep 1 ID 80 100000 600 0 xterm C.UTF-8 a@example.com\n'],
    ['too much to remember', 'keep 1 ID 80 24 600 4097 xterm C.UTF-8 a@example.com\n'],
    ['endless words', `keep 1 ${'a'.repeat(4000)}\n`],
  ])('refuses %s', async (_what, line) => {
    const client = keepers.launch('echo never');
    client.socket.write(line.replace('ID', keepers.id));
    await until(() => client.closed);
    expect(client.refused).toBe('this is no request for a terminal');
  });

  it.each([
    ['a frame that is too large', Buffer.from([255, 255, 255, 255, 73])],
    ['an unknown frame', Buffer.from([0, 0, 0, 0, 90])],
    ['a pin that is too long', pinFrame({ seconds: 31 * 86_400, left: undefined })],
    ['a pin of which more is left than it has', pinFrame({ seconds: 60, left: 61 })],
    ['a name longer than its frame', Buffer.from([9, 0, 0, 0, 73, 0, 0, 0, 0, 0, 0, 0, 0, 9])],
    [
      'input beyond what it may send',
      Buffer.concat(Array.from({ length: 20 }, () => inputFrame('', 0, Buffer.alloc(16_000)))),
    ],
  ])('leaves an agent that sends %s, and keeps the terminal', async (_what, bytes) => {
    const first = await keepers.open('stty raw -echo; echo ready; read a; sleep 600');
    await first.shows('ready');
    first.socket.write(bytes);
    await until(() => first.closed);
    const second = await KeeperClient.attach(keepers.path);
    await second.shows('ready');
  });
});
