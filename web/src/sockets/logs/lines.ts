import type { LogLine } from './codec.ts';

/** Lines that are kept while the view follows the newest. */
export const KEPT = 2_000;
/** Lines that are kept for scrolling back. */
export const MOST = 5_000;

/** The lines of one view, bounded at both ends; a new array at each change. */
export interface Lines {
  list: LogLine[];
  /** The cursor for older lines; empty when there are none. */
  older: string;
  /** New lines that were dropped: the list no longer reaches the present. */
  missed: boolean;
}

export const NO_LINES: Lines = { list: [], older: '', missed: false };

/** Appends new lines. The oldest are dropped for them, unless the person has scrolled back to them. */
export function append(lines: Lines, fresh: LogLine[], following: boolean): Lines {
  if (lines.missed) return lines;
  const list = [...lines.list, ...fresh];
  if (following) return trim({ ...lines, list });
  return list.length > MOST ? { ...lines, missed: true } : { ...lines, list };
}

/** Prepends a page of older lines. */
export function prepend(lines: Lines, page: { lines: LogLine[]; older: string }): Lines {
  return { ...lines, list: [...page.lines, ...lines.list], older: page.older };
}

/** Drops lines that are out of reach of scrolling back. */
export function trim(lines: Lines): Lines {
  if (lines.list.length <= KEPT) return lines;
  const list = lines.list.slice(-KEPT);
  return { ...lines, list, older: list[0]?.cursor ?? '' };
}

/** Whether there is room for another page of older lines. */
export const hasRoom = ({ list }: Lines): boolean => list.length < MOST;
