import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PrivateJournal } from '@warren/infra/journal';
import { settled, until } from '@warren/infra/until';
import type { LogLine, WatchLogsResponse } from '@warren/proto/agent/v1/agent';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { journalOf } from '../src/system/journal/journal.ts';
import { World } from './world.ts';

/** Collects what a watcher receives. */
class Watcher {
  readonly pages: Extract<WatchLogsResponse['kind'], { case: 'page' }>['value'][] = [];
  readonly lines: LogLine[] = [];
  readonly ended: Promise<unknown>;
  private readonly abort = new AbortController();

  constructor(watch: (signal: AbortSignal) => AsyncIterable<WatchLogsResponse>) {
    this.ended = this.read(watch(this.abort.signal)).catch((error: unknown) => error);
  }

  leave(): void {
    this.abort.abort();
  }

  texts(): string[] {
    return this.lines.map(({ message }) => message);
  }

  private async read(answers: AsyncIterable<WatchLogsResponse>): Promise<void> {
    for await (const { kind } of answers) {
      if (kind.case === 'page') this.pages.push(kind.value);
      if (kind.case === 'lines') this.lines.push(...kind.value.lines);
    }
  }
}

/** The ids of the programs that follow this journal. */
async function readers(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, i) => ['journalctl', folder, '--follow'].every((part) => lines[i]!.includes(part)));
}

/** Bytes that a program has written so far (proc_pid_io(5)). */
async function written(pid: string): Promise<number> {
  return Number(/^wchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

describe('the journal of a device', () => {
  let world: World;
  let journal: PrivateJournal;
  const watchers: Watcher[] = [];
  beforeEach(async () => {
    world = await World.make();
    journal = await PrivateJournal.make(join(world.state, 'journal'));
  });
  afterEach(async () => {
    for (const watcher of watchers.splice(0)) watcher.leave();
    await journal.close();
    await world.end();
  });

  async function start() {
    await world.start({ journalDir: journal.folder });
    return (await world.hub.linked(1)).client;
  }

  async function watch(request: { unit?: string; text?: string; after?: string; lines?: number } = {}) {
    const client = world.hub.links.length > 0 ? world.hub.links[0]!.client : await start();
    const { unit = '', text = '', after = '', lines = 0 } = request;
    const watcher = new Watcher((signal) => client.watchLogs({ filter: { unit, text }, after, lines }, { signal }));
    watchers.push(watcher);
    return watcher;
  }

  it('comes as a page of the last lines, and then line by line', async () => {
    await journal.write(...Array.from({ length: 30 }, (_, i) => ({ message: `old ${i}`, unit: 'ssh.service' })));
    const watcher = await watch({ lines: 10 });
    await until(() => watcher.pages.length === 1);
    const [page] = watcher.pages;
    expect(page?.lines.map(({ message }) => message)).toEqual(Array.from({ length: 10 }, (_, i) => `old ${i + 20}`));
    expect(page?.older).toBe(page?.lines[0]?.cursor);
    await journal.write({ message: 'new', unit: 'ssh.service', identifier: 'sshd', pid: 77, priority: 3 });
    await until(() => watcher.lines.length === 1);
    expect(watcher.lines[0]).toMatchObject({
      message: 'new',
      unit: 'ssh.service',
      identifier: 'sshd',
      pid: 77,
      priority: 3,
    });
    expect(Math.abs(Number(watcher.lines[0]!.time) / 1000 - Date.now())).toBeLessThan(20_000);
  });

  it('goes back page by page', async () => {
    await journal.write(...Array.from({ length: 25 }, (_, i) => ({ message: `line ${i}` })));
    const watcher = await watch({ lines: 10 });
    await until(() => watcher.pages.length === 1);
    const { client } = await world.hub.linked(1);
    const middle = await client.readLogs({ before: watcher.pages[0]!.older, lines: 10 });
    const first = await client.readLogs({ before: middle.older, lines: 10 });
    const all = [first, middle, watcher.pages[0]!].flatMap(({ lines }) => lines.map(({ message }) => message));
    expect(all).toEqual(Array.from({ length: 25 }, (_, i) => `line ${i}`));
    expect(first.older).toBe('');
  });

  it('is filtered by unit, by the kernel and by text, in pages and live', async () => {
    const lines = (round: number) => [
      { message: `Accepted key ${round}`, unit: 'ssh.service', identifier: 'sshd' },
      { message: `usb device ${round}`, transport: 'kernel', identifier: 'kernel' },
      { message: `GET /index.html ${round}`, unit: 'nginx.service', identifier: 'nginx' },
    ];
    await journal.write(...lines(1));
    const unit = await watch({ unit: 'ssh.service' });
    const kernel = await watch({ unit: 'kernel' });
    const text = await watch({ text: 'INDEX' });
    const all = [unit, kernel, text];
    await until(() => all.every(({ pages }) => pages.length === 1));
    await journal.write(...lines(2));
    await until(() => all.every(({ lines }) => lines.length > 0));
    const seen = (watcher: Watcher) => [...watcher.pages[0]!.lines.map(({ message }) => message), ...watcher.texts()];
    expect(seen(unit)).toEqual(['Accepted key 1', 'Accepted key 2']);
    expect(seen(kernel)).toEqual(['usb device 1', 'usb device 2']);
    expect(seen(text)).toEqual(['GET /index.html 1', 'GET /index.html 2']);
    const { client } = await world.hub.linked(1);
    expect((await client.listLogUnits({})).units).toEqual(['nginx.service', 'ssh.service']);
  });

  it('continues after a line that was seen before, nothing missing and nothing twice', async () => {
    await journal.write({ message: 'seen' }, { message: 'missed 1' }, { message: 'missed 2' });
    const first = await watch();
    await until(() => first.pages.length === 1);
    const again = await watch({ after: first.pages[0]!.lines[0]!.cursor });
    await until(() => again.lines.length === 2);
    await journal.write({ message: 'new' });
    await until(() => again.lines.length === 3);
    expect(again.texts()).toEqual(['missed 1', 'missed 2', 'new']);
    expect(again.pages).toEqual([]);
  });

  it('keeps whatever a program writes within bounds, as text', async () => {
    const hostile = '<script>alert(1)</script>\u001b[31m\u202egnp.exe';
    await journal.write(
      { message: 'x'.repeat(1 << 20) },
      { message: Buffer.from([0xff, 0xfe, 0x41]) },
      { message: `${hostile}\nsecond line` },
    );
    const watcher = await watch();
    await until(() => watcher.pages.length === 1);
    const [long, broken, script] = watcher.pages[0]!.lines;
    expect(long).toMatchObject({ message: 'x'.repeat(16_384), cut: BigInt((1 << 20) - 16_384) });
    expect(broken?.message).toBe('\ufffd\ufffdA');
    expect(script?.message).toBe(`${hostile}\nsecond line`);
  });

  it('leaves nothing running when its readers have left, and no more than 8 may come', async () => {
    await journal.write({ message: 'one' });
    await start();
    const eight = await Promise.all(Array.from({ length: 8 }, () => watch()));
    await until(async () => (await readers(journal.folder)).length === 8);
    const ninth = await watch();
    expect(String(await ninth.ended)).toMatch(/\[resource_exhausted\] as many people/);
    eight[0]!.leave();
    await eight[0]!.ended;
    await until(async () => (await readers(journal.folder)).length === 7);
    const tenth = await watch();
    await until(() => tenth.pages.length === 1);
    world.hub.links[0]!.socket.destroy();
    await until(async () => (await readers(journal.folder)).length === 0);
  });

  it('waits for a reader that does not read, in the journal and nowhere else', async () => {
    await journal.write({ message: 'one' });
    const client = await start();
    const abort = new AbortController();
    const lazy = client.watchLogs({}, { signal: abort.signal })[Symbol.asyncIterator]();
    await lazy.next();
    await until(async () => (await readers(journal.folder)).length === 1);
    const [pid = ''] = await readers(journal.folder);
    const count = 2_000;
    await journal.write(...Array.from({ length: count }, (_, i) => ({ message: `${i} ${'x'.repeat(8_000)}` })));
    const last = await settled(() => written(pid));
    // Of 16 MB: what the connection's window and the pipes hold.
    expect(last).toBeLessThan(5_000_000);
    const numbers: number[] = [];
    while (numbers.length < count) {
      const { value } = (await lazy.next()) as { value: WatchLogsResponse };
      if (value.kind.case === 'lines') numbers.push(...value.kind.value.lines.map(({ message }) => parseInt(message)));
    }
    expect(numbers).toEqual(Array.from({ length: count }, (_, i) => i));
    abort.abort();
  });

  it.each([
    ['a unit that is an option', { filter: { unit: 'x --file=/etc/shadow' } }, 'not the name of a unit'],
    ['a pattern of units', { filter: { unit: '*' } }, 'not the name of a unit'],
    ['a cursor that is none', { after: '--file=/etc/shadow' }, "not a line's cursor"],
    ['too long a text', { filter: { text: 'x'.repeat(201) } }, 'expected string to have <=200'],
    ['too many lines', { lines: 501 }, 'expected number to be <=500'],
  ])('refuses %s', async (_what, request, words) => {
    const client = await start();
    const reading = client.watchLogs(request)[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toThrow('[invalid_argument]');
    await expect(client.watchLogs(request)[Symbol.asyncIterator]().next()).rejects.toThrow(words);
  });

  it('is missed in plain words', async () => {
    await world.start({ journalDir: join(world.state, 'nowhere') });
    const { client } = await world.hub.linked(1);
    const reading = client.watchLogs({})[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toThrow(/\[failed_precondition\] Failed to open .*nowhere/);
    await expect(client.listLogUnits({})).rejects.toThrow('[failed_precondition]');
    const none = journalOf(undefined, join(world.state, 'journalctl')).units(new AbortController().signal);
    await expect(none).rejects.toThrow('this device has no journalctl, and so no journal of systemd');
  });
});
