import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import type { Caller } from '@warren/platform/rpc/caller';
import { RecordingFormat } from '@warren/proto/audit/v1/recordings';
import { v7 as uuidv7 } from 'uuid';
import { RecordingExports } from '../src/recordings/export/recording.exports.ts';
import { putSettings } from '../src/recordings/keep/usage.sql.ts';
import { UNCHANGED } from '../src/recordings/manage/settings.service.ts';
import { ScreenHost } from '../src/recordings/search/screen.host.ts';
import { SearchService } from '../src/recordings/search/search.service.ts';
import { PlayService } from '../src/recordings/view/play.service.ts';
import { ViewService } from '../src/recordings/view/view.service.ts';
import { RecordingWriter } from '../src/recordings/writer.ts';
import { AuditWorld, person } from './audit.world.ts';
import { appended, output, record, session } from './recording.sessions.ts';

let world: AuditWorld;
let account: string;
let owner: Caller;

beforeAll(async () => {
  world = await AuditWorld.start();
});
afterAll(() => world?.end(), 60_000);
beforeEach(() => {
  account = uuidv7();
  owner = person(account);
});

const NOTHING = { accountId: '', recordingId: '', deviceId: '', person: '', limit: 50, cursor: '' };
const found = async (text: string, more = {}, caller = owner) =>
  (await world.app.get(SearchService).search(caller, { ...NOTHING, text, ...more })).hits ?? [];
const read = (id: string) =>
  until(async () => {
    const { recording } = await world.app.get(ViewService).get(owner, id);
    const { end } = await world.app.get(ViewService).chunks(owner, { id, from: 0, limit: 10_000 });
    return recording?.searchable === end;
  });
const exported = async (id: string, format: RecordingFormat, caller = owner) => {
  const exports = world.app.get(RecordingExports);
  const { exportId = '' } = await exports.start(caller, { id, format });
  let text = '';
  for (let end = false; !end;) {
    const part = await exports.read(caller, { exportId });
    text += Buffer.from(part.content as Uint8Array).toString();
    end = part.end ?? false;
  }
  return text;
};
const redact = (...redactions: string[]) =>
  world.source.transaction((manager) => putSettings(manager, account, { ...UNCHANGED, redactions }));

describe('search', () => {
  it('finds what appeared on the screen, with its moment', async () => {
    const id = await record(world, session(account), [
      [output(0, '$ '), output(1_000, 'ca'), output(1_100, 't no\u001b[31mtes\u001b[0m.txt\r\n')],
      [output(2_000, 'the quick 100% \u001b[1mbrown\u001b[0m fox\r\n$ '), output(90_000, 'exit\r\n')],
    ]);
    await read(id);
    expect(await found('QUICK 100% brown')).toEqual([
      { recordingId: id, atMs: 2_000n, offset: expect.any(BigInt), line: 'the quick 100% brown fox' },
    ]);
    expect(await found('cat notes.txt')).toHaveLength(1);
    expect(await found('100_')).toEqual([]);
    expect(await found('quick', { recordingId: id })).toHaveLength(1);
    expect(await found('quick', {}, person(uuidv7()))).toEqual([]);
    await expect(found('qu')).rejects.toMatchObject({ code: 'invalid_argument' });
    const actions = ((await world.list(owner)).events ?? []).map(({ event }) => event?.action);
    expect(actions).toContain('recording.search');
  });

  it('continues page by page, newest recording first', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      const lines = Array.from({ length: 200 }, (_, line) => output(at * 10 + line, `needle ${at} ${line}\r\n`));
      ids.push(await record(world, session(account), [lines]));
    }
    for (const id of ids) await read(id);
    const hits: string[] = [];
    const search = world.app.get(SearchService);
    for (let cursor = '', more = true; more;) {
      const page = await search.search(owner, { ...NOTHING, text: 'needle', limit: 3, cursor });
      hits.push(...(page.hits ?? []).map((hit) => `${hit.recordingId} ${hit.line}`));
      cursor = page.nextCursor ?? '';
      more = cursor !== '';
    }
    expect(hits).toHaveLength(1_000);
    expect(new Set(hits).size).toBe(1_000);
    expect(hits[0]).toContain(ids.at(-1));
  });

  it('is an event once for all its pages, also from a place that is made up', async () => {
    const search = (cursor: string) =>
      world.app.get(SearchService).search(owner, { ...NOTHING, text: 'rabbit', limit: 1, cursor });
    const last = `ffffffff-ffff-ffff-ffff-ffffffffffff:${2 ** 31 - 1}`;
    for (const cursor of [last, last]) await search(cursor);
    const actions = ((await world.list(owner)).events ?? []).map(({ event }) => event?.action);
    expect(actions).toEqual(['recording.search']);
    await expect(search(`${uuidv7()}:${2 ** 31}`)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('shows nothing that the account redacts now, and does not find it', async () => {
    const id = await record(world, session(account), [[output(0, 'token=hunter2 for the pump\r\n')]]);
    await read(id);
    expect(await found('hunter2')).toHaveLength(1);
    await redact('token=\\w+');
    expect(await found('hunter2')).toEqual([]);
    expect((await found('the pump')).map(({ line }) => line)).toEqual(['************* for the pump']);
  });
});

describe('snapshots', () => {
  it('are there every 30 seconds or MiB, and draw the screen', async () => {
    const line = 'y'.repeat(60);
    const flood = Buffer.from(`${line}\r\n`.repeat(8_000));
    const id = await record(world, session(account), [
      [output(0, 'first\r\n')],
      [output(40_000, 'second\r\n')],
      [output(41_000, flood)],
      [output(42_000, flood)],
      [output(43_000, flood), output(43_500, 'last \u001b[1mwords')],
    ]);
    await read(id);
    const player = world.app.get(PlayService);
    expect(await player.snapshot(owner, { id, atMs: 39_999n })).toEqual({});
    const { snapshot } = await player.snapshot(owner, { id, atMs: 40_500n });
    expect(snapshot).toMatchObject({ atMs: 40_000n, offset: 15n, sequence: 2, cols: 80, rows: 24 });
    expect(snapshot?.data).toContain('first\r\nsecond');
    const later = await player.snapshot(owner, { id, atMs: 999_999n });
    expect(Number(later.snapshot?.offset)).toBeGreaterThan(1_048_576);
    await expect(player.snapshot(person(uuidv7()), { id, atMs: 0n })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an export', () => {
  it('is asciicast v2 with the exact text, characters of several bytes cut anywhere', async () => {
    const text = 'häuser 🐇 \u001b[2J\u0007\r\n"quoted" \\ \u0000';
    const bytes = Buffer.from(text);
    const pieces = Array.from(bytes, (_, at) => output(at * 20, bytes.subarray(at, at + 1)));
    const id = await record(world, session(account), [
      pieces.slice(0, 7),
      [...pieces.slice(7), { atMs: 5_000, kind: 'resize', cols: 100, rows: 40 }],
    ]);
    const [header = '', ...lines] = (await exported(id, RecordingFormat.ASCIICAST)).trimEnd().split('\n');
    expect(JSON.parse(header)).toMatchObject({ version: 2, width: 80, height: 24, timestamp: 1_796_112_000 });
    const events = lines.map((one) => JSON.parse(one) as [number, string, string]);
    expect(events.flatMap(([, kind, data]) => (kind === 'o' ? [data] : [])).join('')).toBe(text);
    expect(events.at(-1)).toEqual([5, 'r', '100x40']);
    expect(events.every(([time], at) => at === 0 || time >= (events[at - 1]?.[0] ?? 0))).toBe(true);
  });

  it('is the text as it appeared on the screen', async () => {
    const id = await record(world, session(account), [
      [output(0, '$ \u001b[32mls\u001b[0m\r\n'), output(400, 'one  two\r\n'), output(900, '10%\r20%\r30%\r\ndone')],
    ]);
    expect(await exported(id, RecordingFormat.TEXT)).toBe('$ ls\none  two\n30%\ndone\n');
  });

  it('masks what the account redacts, also where it was typed one character at a time', async () => {
    await redact('hunter\\d');
    const typed = Array.from('a hun\u001b[1mter2 b', (one, at) => output(at * 100, one));
    const id = await record(world, session(account), [[...typed, output(9_000, '\r\nhunter3\r\n')]]);
    const cast = await exported(id, RecordingFormat.ASCIICAST);
    const shown = cast
      .split('\n')
      .slice(1, -1)
      .map((one) => (JSON.parse(one) as [number, string, string])[2]);
    expect(shown.join('')).toBe('a ***\u001b[1m**** b\r\n*******\r\n');
    expect(await exported(id, RecordingFormat.TEXT)).toBe('a ******* b\n*******\n');
    const actions = ((await world.list(owner)).events ?? []).map(({ event }) => event?.action);
    expect(actions.filter((one) => one === 'recording.export')).toHaveLength(2);
  });

  it('does not grow a thousandfold where each byte came alone', async () => {
    const escapes = Array.from({ length: 20_000 }, (_, at) => output(Math.floor(at / 10), '\u0001'));
    const id = await record(world, session(account), [escapes]);
    expect((await exported(id, RecordingFormat.ASCIICAST)).length).toBeLessThan(20_000 * 10);
  });

  it('is of no recording of another account, and of nobody else', async () => {
    const id = await record(world, session(account), [[output(0, 'x')]]);
    const exports = world.app.get(RecordingExports);
    const request = { id, format: RecordingFormat.TEXT };
    await expect(exports.start(person(uuidv7()), request)).rejects.toMatchObject({ code: 'not_found' });
    const { exportId = '' } = await exports.start(owner, request);
    await expect(exports.read(person(account), { exportId })).rejects.toMatchObject({ code: 'not_found' });
    await exports.start(owner, request);
    await expect(exports.start(owner, request)).rejects.toMatchObject({ code: 'resource_exhausted' });
    await exports.cancel(owner, { exportId });
    await expect(exports.read(owner, { exportId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(exports.start(owner, request)).resolves.toBeDefined();
  });

  it('counts those that start at the same time', async () => {
    const id = await record(world, session(account), [[output(0, 'x')]]);
    const request = { id, format: RecordingFormat.TEXT };
    const exports = world.app.get(RecordingExports);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => exports.start(owner, request)));
    const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.exportId ?? ''] : []));
    expect(started).toHaveLength(2);
    for (const exportId of started) await exports.cancel(owner, { exportId });
  });
});

describe('the index of a live session', () => {
  it('grows, and continues from a snapshot where its screen is lost', async () => {
    const of = session(account);
    const first = world.app.get(RecordingWriter);
    const { id } = await first.open(of);
    const one = appended(0, output(0, 'the first line\r\n'), output(31_000, 'and one more\r\n'));
    await first.append(id, one);
    await read(id);
    await world.app.get(ScreenHost).onApplicationShutdown();
    await first.append(id, appended(one.to, output(40_000, 'the second line\r\n')));
    await read(id);
    expect((await found('the ')).map(({ line }) => line)).toEqual(['the second line', 'the first line']);
  });
});
