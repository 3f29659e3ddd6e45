import { describe, expect, it } from '@jest/globals';
import type { JournalEntry } from '../system/journal/entry.ts';
import type { Journal } from '../system/journal/journal.ts';
import { NoJournal } from '../system/journal/failure.ts';
import { readPage } from './page.ts';
import { watchLogs, type WatchEvent } from './watch.ts';

const line = (index: number, message = `message ${index}`): JournalEntry => ({
  cursor: `i=${index}`,
  time: BigInt(index),
  priority: 6,
  unit: index % 2 ? 'odd.service' : 'even.service',
  identifier: 'Test',
  pid: 1,
  message,
  cut: 0,
});

/** A journal whose lines are given, read ten at a time. */
function journalOf(lines: JournalEntry[]): Journal & { looked: number; asked: (number | undefined)[] } {
  const indexOf = (cursor: string) => lines.findIndex((each) => each.cursor === cursor);
  return {
    looked: 0,
    asked: [],
    async *read({ cursor, unit, lines: most, order }) {
      this.asked.push(most);
      const at = cursor ? indexOf(cursor) : order === 'back' ? lines.length - 1 : 0;
      const wanted = order === 'back' ? lines.slice(0, at + 1).toReversed() : lines.slice(at);
      const found = wanted.filter((each) => !unit || each.unit === unit).slice(0, most);
      for (let from = 0; from < found.length; from += 10) {
        this.looked += 10;
        yield found.slice(from, from + 10);
      }
    },
    units: () => Promise.resolve([]),
  };
}

const all = { unit: '', text: '' };
const never = new AbortController().signal;
const hundred = Array.from({ length: 100 }, (_, index) => line(index));

describe('a page of the journal', () => {
  it('continues where the former one ended, without a gap, to the oldest line', async () => {
    const journal = journalOf(hundred);
    const seen: number[] = [];
    let end = { cursor: 'i=99', inclusive: true };
    for (let pages = 0; end.cursor !== ''; pages++) {
      expect(pages).toBeLessThan(10);
      const page = await readPage(journal, all, end, 30, never);
      seen.unshift(...page.lines.map(({ time }) => Number(time)));
      end = { cursor: page.older, inclusive: false };
    }
    expect(seen).toEqual(hundred.map((_, index) => index));
    // The journal itself is asked for no more than a page.
    expect(new Set(journal.asked)).toEqual(new Set([32]));
  });

  it("has lines with the text in the message or the program's name, case-insensitively", async () => {
    const journal = journalOf([line(0, 'A Needle'), line(1, 'hay'), line(2, 'the needle')]);
    const end = { cursor: 'i=2', inclusive: true };
    const page = await readPage(journal, { unit: '', text: 'NEEDLE' }, end, 30, never);
    expect(page.lines.map(({ message }) => message)).toEqual(['A Needle', 'the needle']);
    expect((await readPage(journal, { unit: '', text: 'test' }, end, 30, never)).lines).toHaveLength(3);
    const odd = await readPage(journal, { unit: 'odd.service', text: '' }, end, 30, never);
    expect(odd.lines.map(({ message }) => message)).toEqual(['hay']);
  });

  it('stops the search in time, states how far it came, and can be continued', async () => {
    const journal = journalOf(hundred);
    const filter = { unit: '', text: 'message 5' };
    const first = await readPage(journal, filter, { cursor: 'i=99', inclusive: true }, 30, never, 0);
    expect(first).toEqual({ lines: [], older: 'i=90', reached: 90n });
    const second = await readPage(journal, filter, { cursor: first.older, inclusive: false }, 30, never);
    expect(second.lines.map(({ time }) => Number(time))).toEqual([5, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59]);
    expect(second.older).toBe('');
  });

  it('fits in a message', async () => {
    const long = hundred.map((_, index) => line(index, 'x'.repeat(16_000)));
    const page = await readPage(journalOf(long), all, { cursor: 'i=99', inclusive: true }, 50, never);
    expect(page.lines).toHaveLength(8);
    expect(page.older).toBe('i=92');
  });
});

describe('watching the journal', () => {
  async function watch(journal: Journal, request: Partial<Parameters<typeof watchLogs>[1]>) {
    const events: WatchEvent[] = [];
    const given = { filter: all, after: '', lines: 5, ...request };
    // This journal ends where a real one would wait.
    const reading = (async () => {
      for await (const event of watchLogs(journal, given, never)) events.push(event);
    })();
    await expect(reading).rejects.toThrow('journalctl ended');
    return events;
  }

  it('begins with the last lines and continues after the last one of all, with any filter', async () => {
    const journal = journalOf(hundred);
    const [page, ...more] = await watch(journal, { filter: { unit: 'even.service', text: '' } });
    expect(page).toMatchObject({ kind: 'page', page: { older: 'i=90' } });
    expect(page?.kind === 'page' && page.page.lines.map(({ cursor }) => cursor)).toEqual(
      [90, 92, 94, 96, 98].map((index) => `i=${index}`),
    );
    expect(more).toEqual([]);
  });

  it('resumes without a page, a gap or a duplicate', async () => {
    const events = await watch(journalOf(hundred), { after: 'i=70' });
    const cursors = events.flatMap((event) => (event.kind === 'lines' ? event.lines.map(({ cursor }) => cursor) : []));
    expect(cursors).toEqual(hundred.slice(71).map(({ cursor }) => cursor));
  });

  it('splits a flood into messages of bounded size', async () => {
    const long = hundred.map((_, index) => line(index, 'x'.repeat(16_000)));
    const events = await watch(journalOf(long), { after: 'i=0' });
    expect(events.every((event) => event.kind === 'lines' && event.lines.length <= 4)).toBe(true);
    expect(events).toHaveLength(30);
  });

  it.each([
    ['without a line', () => undefined],
    [
      'without a file',
      () => {
        throw new NoJournal('this device keeps no journal');
      },
    ],
  ])('shows a journal %s as an empty page, and its lines once there are some', async (_, whenEmpty) => {
    const lines: JournalEntry[] = [];
    const filled = journalOf(lines);
    const journal: Journal = {
      ...filled,
      read(query, signal) {
        if (lines.length === 0) whenEmpty();
        return filled.read(query, signal);
      },
    };
    const watching = watchLogs(journal, { filter: all, after: '', lines: 5 }, never, 1);
    const empty = { lines: [], older: '', reached: 0n };
    expect((await watching.next()).value).toEqual({ kind: 'page', page: empty, notice: '' });
    lines.push(line(0));
    expect((await watching.next()).value).toMatchObject({ kind: 'page', page: { lines: [{ cursor: 'i=0' }] } });
  });

  it('stops polling an empty journal without a watcher', async () => {
    const left = new AbortController();
    const watching = watchLogs(journalOf([]), { filter: all, after: '', lines: 5 }, left.signal, 3_600_000);
    await watching.next();
    const end = watching.next();
    left.abort();
    expect(await end).toEqual({ done: true, value: undefined });
  });
});
