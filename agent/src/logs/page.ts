import type { JournalEntry } from '../system/journal/entry.ts';
import type { Journal } from '../system/journal/journal.ts';
import { sizeOf, textFilter, type LogFilter } from './filter.ts';

/** Lines of the journal, oldest first. */
export interface LogPage {
  lines: JournalEntry[];
  /** The cursor for older lines; empty without any. */
  older: string;
  /** Time of the oldest examined line, in microseconds since 1970; 0 without lines. */
  reached: bigint;
}

/** The end of a page towards the present. */
export interface PageEnd {
  cursor: string;
  /** Whether the line at `cursor` is included. */
  inclusive: boolean;
}

/** The hub accepts messages of 256 KiB. */
const PAGE_BYTES = 128 * 1024;
/** Time limit of a text search, in milliseconds; the page states how far the search came. */
const LOOK_MS = 2_000;

/**
 * Reads a page towards the past.
 * @param most lines, from 1
 * @param lookMs time limit of a text search, in milliseconds
 * @throws JournalFailed when the journal can't be read
 */
export async function readPage(
  journal: Journal,
  filter: LogFilter,
  { cursor, inclusive }: PageEnd,
  most: number,
  signal: AbortSignal,
  lookMs = LOOK_MS,
): Promise<LogPage> {
  const page = new PageInMaking(filter, most);
  const until = performance.now() + lookMs;
  // Two more than wanted: the line at the cursor, and one that shows whether more follow.
  const bound = filter.text === '' ? { lines: most + 2 } : {};
  for await (const lines of journal.read({ cursor, unit: filter.unit, order: 'back', ...bound }, signal)) {
    for (const line of lines) {
      if (!inclusive && line.cursor === cursor) continue;
      if (!page.take(line)) return page.end(true);
    }
    if (performance.now() > until) return page.end(true);
  }
  return page.end(false);
}

class PageInMaking {
  private lines: JournalEntry[] = [];
  private bytes = 0;
  private last: JournalEntry | undefined;
  private wanted: (line: JournalEntry) => boolean;
  private most: number;

  constructor(filter: LogFilter, most: number) {
    this.wanted = textFilter(filter);
    this.most = most;
  }

  /** False when there is no room for the line. */
  take(line: JournalEntry): boolean {
    if (this.wanted(line)) {
      const size = sizeOf(line);
      if (this.lines.length === this.most || this.bytes + size > PAGE_BYTES) return false;
      this.lines.push(line);
      this.bytes += size;
    }
    this.last = line;
    return true;
  }

  end(more: boolean): LogPage {
    const older = more && this.last ? this.last.cursor : '';
    return { lines: this.lines.toReversed(), older, reached: this.last?.time ?? 0n };
  }
}
