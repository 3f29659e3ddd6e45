import { bytes } from '../../../lib/format.ts';
import { player as text } from '../../../lib/messages/player.ts';
import { personOf } from '../person.ts';
import type { Mark } from './marks.ts';

/** A line that was found on the screen. */
export interface Hit {
  atMs: number;
  offset: number;
  line: string;
}

/** What is marked on the timeline and listed beside it, by time. */
export interface Moment {
  key: string;
  atMs: number;
  kind: Mark['kind'] | 'hit';
  label: string;
  /** A second word, such as the exit code of a command. */
  note: string;
}

/** Marks and hits as one list, by time. */
export function momentsOf(marks: readonly Mark[], hits: readonly Hit[]): Moment[] {
  const found = hits.map(({ atMs, offset, line }) => ({
    key: `hit ${offset}`,
    atMs,
    kind: 'hit' as const,
    label: line.trim(),
    note: '',
  }));
  const marked = marks.map((mark, index) => ({
    key: `mark ${index}`,
    atMs: mark.atMs,
    kind: mark.kind,
    ...textOf(mark),
  }));
  return [...marked, ...found].toSorted((one, other) => one.atMs - other.atMs);
}

function textOf(mark: Mark): Pick<Moment, 'label' | 'note'> {
  switch (mark.kind) {
    case 'command':
      return { label: mark.text || text.command, note: mark.exit ? text.exit(mark.exit) : '' };
    case 'gap':
      return { label: text.gap(bytes(mark.bytes)), note: mark.why };
    case 'resize':
      return { label: text.resize(mark.cols, mark.rows), note: '' };
    case 'joined':
      return { label: text.joined(personOf(mark.person)), note: '' };
    case 'left':
      return { label: text.left(personOf(mark.person)), note: '' };
  }
}

/** The moment after a time, or before it; each press of a key moves on from the moment that is shown. */
export function momentBeside(moments: readonly Moment[], ms: number, by: 1 | -1): Moment | undefined {
  const SAME_MS = 50;
  return by === 1
    ? moments.find(({ atMs }) => atMs > ms + SAME_MS)
    : moments.findLast(({ atMs }) => atMs < ms - SAME_MS);
}

/** One moment of each kind for each place on the timeline. */
export function onTimeline(moments: readonly Moment[], durationMs: number, places = 400): Moment[] {
  const seen = new Set<string>();
  return moments.filter(({ atMs, kind }) => {
    const place = `${kind} ${Math.round((atMs / Math.max(1, durationMs)) * places)}`;
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}
