import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Recording } from '@warren/proto/agent/v1/agent';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownArch } from '../packaging/build/arches.ts';
import { compileHelper } from '../packaging/build/helper.ts';
import { TerminalClient } from './terminal-client.ts';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

/** Kills of the agent in one terminal; `make soak` makes more. */
const KILLS = Number(process.env['WARREN_KILLS'] ?? 5);

jest.setTimeout(180_000 + KILLS * 10_000);

const main = join(import.meta.dirname, '../src/main.ts');
let helper: string;

beforeAll(async () => {
  if (!ownArch) throw new Error(`there is no helper for ${process.arch}`);
  helper = await compileHelper(ownArch);
});

describe('a terminal whose agent is killed', () => {
  let world: World;
  let agent: ChildProcess;

  const start = () => {
    const { state } = world;
    const env = {
      ...process.env,
      WARREN_HELPER: helper,
      WARREN_LOG_LEVEL: 'error',
      HOME: state,
      RUNTIME_DIRECTORY: state,
    };
    agent = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'run', '--state', state], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  const stop = async (signal: NodeJS.Signals) => {
    const ended = once(agent, 'exit');
    agent.kill(signal);
    await ended;
  };
  /** The hub may keep its half of the connection. */
  const cut = async (terminal: TerminalClient) => {
    world.hub.links.at(-1)!.socket.destroy();
    await terminal.ended;
  };
  /** Ends the agent and starts another one. */
  const restart = async (signal: NodeJS.Signals, terminal: TerminalClient): Promise<TerminalClient> => {
    const links = world.hub.links.length;
    await stop(signal);
    await cut(terminal);
    const { session, offset } = terminal;
    start();
    const { client } = await world.hub.linked(links + 1);
    const again = new TerminalClient(client, { session, offset, writer: 'screen' });
    await again.until(() => again.from >= 0);
    expect(again.from).toBe(offset);
    return again;
  };

  beforeEach(async () => {
    world = await World.make();
    await world.enrol();
    start();
  });

  afterEach(async () => {
    const { client } = world.hub.links.at(-1)!;
    await client.endTerminals({});
    await until(async () => (await readdir(join(world.state, 'keepers')).catch(() => [])).length === 0);
    await stop('SIGTERM');
    await world.end();
  });

  it(`loses and doubles no byte of a stream through ${KILLS} kills`, async () => {
    let terminal = await world.open({ writer: 'screen' });
    const lines = KILLS * 60_000;
    terminal.type(`stty -echo; echo go$((1)); read go; seq ${lines}; echo done$((1))\r`);
    await terminal.shows('go1\r\n');
    const begin = terminal.offset;
    const parts: Buffer[] = [];
    let skip = terminal.output.length;
    terminal.type('\r');
    const expected = Buffer.from(`${Array.from({ length: lines }, (_, line) => `${line + 1}\r\n`).join('')}done1\r\n`);
    for (let kill = 1; kill <= KILLS; kill++) {
      const goal = begin + Math.floor((expected.length * kill) / (KILLS + 1));
      await terminal.until(() => terminal.offset >= goal);
      const next = await restart('SIGKILL', terminal);
      parts.push(terminal.output.subarray(skip));
      skip = 0;
      terminal = next;
    }
    await terminal.shows('done1\r\n');
    parts.push(terminal.output);
    expect(Buffer.concat(parts).subarray(0, expected.length).equals(expected)).toBe(true);
  });

  it('loses no byte for its recorder, and tells how its program ended', async () => {
    let terminal = await world.open({ writer: 'screen', record: Recording.REQUIRED });
    await terminal.until(() => terminal.session !== '');
    const { session } = terminal;
    const recorded: Buffer[] = [];
    const follow = (offset: number) =>
      new TerminalClient(world.hub.links.at(-1)!.client, { session, offset, recorder: true });
    let recorder = follow(0);
    const lines = 200_000;
    terminal.type(`stty -echo; echo go$((1)); seq ${lines}; exit 4\r`);
    let stored = 0;
    /** What was not stored when the agent was killed comes again. */
    const store = () => {
      recorded.push(recorder.output.subarray(0, recorder.offset - stored));
      stored = recorder.offset;
      recorder.store(stored);
      recorder.forget();
    };
    for (let kill = 1; kill <= KILLS; kill++) {
      await recorder.until(() => recorder.offset >= kill * 100_000);
      store();
      await recorder.until(() => recorder.offset >= kill * 100_000 + 50_000);
      terminal = await restart('SIGKILL', terminal);
      await recorder.ended;
      recorder = follow(stored);
    }
    await recorder.until(() => {
      if (recorder.offset > stored) store();
      return recorder.exit !== undefined;
    });
    store();
    expect(recorder.exit).toEqual({ code: 4, signal: '' });
    await recorder.ended;
    const text = Buffer.concat(recorded).toString();
    const expected = `go1\r\n${Array.from({ length: lines }, (_, line) => `${line + 1}\r\n`).join('')}`;
    expect(text.slice(text.indexOf('go1\r\n')).startsWith(expected)).toBe(true);
  });

  it('reads what is typed exactly once', async () => {
    let terminal = await world.open({ writer: 'screen' });
    const file = join(world.state, 'typed');
    terminal.type(`stty raw -echo; echo go$((1)); exec cat > ${file}\r`);
    await terminal.shows('go1');
    await terminal.until(() => terminal.typed > 0);
    const before = terminal.typed;
    const text = Buffer.from(Array.from({ length: KILLS * 20_000 }, (_, line) => `${line}\n`).join(''));
    for (let kill = 1; kill <= KILLS; kill++) {
      const goal = before + Math.floor((text.length * kill) / (KILLS + 1));
      for (let at = terminal.typed - before; at < text.length; at += 16_384)
        terminal.type(text.subarray(at, at + 16_384));
      await terminal.until(() => terminal.typed >= goal);
      terminal = await restart('SIGKILL', terminal);
      expect(terminal.typedAtOpen).toBeGreaterThanOrEqual(goal);
    }
    const rest = text.subarray(terminal.typed - before);
    for (let at = 0; at < rest.length; at += 16_384) terminal.type(rest.subarray(at, at + 16_384));
    await until(async () => (await readFile(file)).length >= text.length);
    expect((await readFile(file)).equals(text)).toBe(true);
  });

  it('is there after a stop of the agent, with its owner, its size and its age', async () => {
    const terminal = await world.open({ writer: 'screen' });
    terminal.resize(100, 30);
    terminal.type('echo on$((1))\r');
    await terminal.shows('on1');
    const list = async (userId: string) => (await world.hub.links.at(-1)!.client.listTerminals({ userId })).terminals;
    const [before] = await list('user-1');
    const again = await restart('SIGTERM', terminal);
    const [after] = await list('user-1');
    expect(after).toMatchObject({ session: before!.session, startedAt: before!.startedAt, attached: true });
    expect(await list('user-2')).toEqual([]);
    again.type('exit 7\r');
    await again.until(() => again.exit !== undefined);
    expect(again.exit).toEqual({ code: 7, signal: '' });
  });

  it('has its name and its pin again, and what is left of that', async () => {
    const terminal = await world.open({ writer: 'screen' });
    terminal.type('echo on$((1))\r');
    await terminal.shows('on1');
    const { session } = terminal;
    const { client } = world.hub.links.at(-1)!;
    expect(world.hub.dials.at(-1)!.headers).not.toHaveProperty('warren-pins');
    const pinned = { name: 'nightly build', pinS: 3600 };
    await client.changeTerminal({ userId: 'user-1', userEmail: 'ada@example.com', session, ...pinned });
    const again = await restart('SIGKILL', terminal);
    const list = async () => (await world.hub.links.at(-1)!.client.listTerminals({ userId: 'user-1' })).terminals;
    expect(await list()).toMatchObject([{ session, ...pinned, unpinnable: '', attached: true }]);
    again.abort();
    await again.ended;
    await until(async () => (await list())[0]?.leftS !== undefined);
    const links = world.hub.links.length;
    await stop('SIGTERM');
    start();
    await world.hub.linked(links + 1);
    const [after] = await list();
    expect(world.hub.dials.at(-1)!.headers).toHaveProperty('warren-pins', '1');
    expect(after).toMatchObject({ session, ...pinned, attached: false });
    expect(after!.leftS).toBeGreaterThan(3000);
    expect(after!.leftS).toBeLessThanOrEqual(3600);
  });

  it('tells how its program ended while no agent was there', async () => {
    const terminal = await world.open({ writer: 'screen' });
    const file = join(world.state, 'left');
    terminal.type(`echo on$((1)); until [ -e ${file} ]; do sleep 0.05; done; echo last$((1)); exit 5\r`);
    await terminal.shows('on1');
    await stop('SIGKILL');
    await cut(terminal);
    await writeFile(file, '');
    start();
    const { client } = await world.hub.linked(2);
    const again = new TerminalClient(client, { session: terminal.session, offset: terminal.offset, writer: 'screen' });
    await again.until(() => again.exit !== undefined);
    expect(again.exit).toEqual({ code: 5, signal: '' });
    expect(again.text).toContain('last1');
  });
});
