import { setTimeout as sleep } from 'node:timers/promises';
import { JournalFailed, NoJournal } from '../system/journal/failure.ts';
import type { JournalEntry } from '../system/journal/entry.ts';
import type { Journal } from '../system/journal/journal.ts';
import { sizeOf, textFilter, type LogFilter } from './filter.ts';
import { readPage, type LogPage } from './page.ts';

/** Events of a watcher: a page first, then new lines. */
export type WatchEvent = { kind: 'page'; page: LogPage; notice: string } | { kind: 'lines'; lines: JournalEntry[] };

export interface Watch {
  filter: LogFilter;
  /** Resumes after this line, without a page; if empty, starts with the last lines. */
  after: string;
  /** Lines of the page. */
  lines: number;
}

const MESSAGE_BYTES = 64 * 1024;
/** The polling interval of an empty journal, in milliseconds: journalctl does not follow without a file. */
const EMPTY_MS = 3_000;
const EMPTY_PAGE: LogPage = { lines: [], older: '', reached: 0n };

/**
 * Follows the journal until `signal` aborts. The reader applies backpressure: unread lines wait in the journal.
 * An empty journal is an empty page, and another page once there is a line.
 * @param emptyMs polling interval of an empty journal, in milliseconds
 * @throws JournalFailed if the journal can't be read
 */
export async function* watchLogs(
  journal: Journal,
  { filter, after, lines }: Watch,
  signal: AbortSignal,
  emptyMs = EMPTY_MS,
): AsyncGenerator<WatchEvent, void, void> {
  let cursor = after;
  if (after === '') {
    let head = await readHead(journal, signal);
    if (!head && !signal.aborted) yield { kind: 'page', page: EMPTY_PAGE, notice: '' };
    while (!head && !signal.aborted) {
      // Ends early with the signal.
      await sleep(emptyMs, undefined, { signal }).catch(() => undefined);
      head = await readHead(journal, signal);
    }
    if (!head || signal.aborted) return;
    cursor = head.line.cursor;
    yield {
      kind: 'page',
      page: await readPage(journal, filter, { cursor, inclusive: true }, lines, signal),
      notice: head.notice,
    };
  } else {
    // journalctl follows the current boot only; lines from before a reboot are read first.
    const missed = new Progress(cursor);
    yield* readOn(journal, filter, missed, 'forth', signal);
    cursor = missed.cursor;
  }
  if (signal.aborted) return;
  yield* readOn(journal, filter, new Progress(cursor), 'follow', signal);
  if (!signal.aborted) throw new JournalFailed('journalctl ended');
}

/** Finds the last line without a filter; later lines are new. */
async function readHead(journal: Journal, signal: AbortSignal) {
  let line: JournalEntry | undefined;
  let notice = '';
  try {
    for await (const [first] of journal.read({ order: 'back', lines: 1 }, signal, (words) => (notice = words)))
      line ??= first;
  } catch (error) {
    if (!(error instanceof NoJournal)) throw error;
  }
  return line && { line, notice };
}

class Progress {
  cursor: string;

  constructor(cursor: string) {
    this.cursor = cursor;
  }
}

async function* readOn(
  journal: Journal,
  filter: LogFilter,
  progress: Progress,
  order: 'forth' | 'follow',
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void, void> {
  const isWanted = textFilter(filter);
  const known = progress.cursor;
  for await (const lines of journal.read({ cursor: known, unit: filter.unit, order }, signal)) {
    const fresh = lines.filter((line) => line.cursor !== known);
    progress.cursor = fresh.at(-1)?.cursor ?? progress.cursor;
    for (const part of inMessages(fresh.filter(isWanted))) yield { kind: 'lines', lines: part };
  }
}

function* inMessages(lines: JournalEntry[]): Generator<JournalEntry[]> {
  let part: JournalEntry[] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = sizeOf(line);
    if (part.length > 0 && bytes + size > MESSAGE_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(line);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
