import { describe, expect, it } from '@jest/globals';
import type { LogLine } from './codec.ts';
import { linesOf, mayRetry, pageOf, unitsOf } from './codec.ts';
import { append, hasRoom, KEPT, MOST, NO_LINES, prepend, trim } from './lines.ts';

const line = (index: number): LogLine => ({
  cursor: `i=${index}`,
  time: '',
  priority: 6,
  unit: '',
  identifier: '',
  pid: 0,
  message: `${index}`,
  cut: 0,
});
const lines = (count: number, from = 0) => Array.from({ length: count }, (_, index) => line(from + index));

describe('the lines of a view', () => {
  it('let the oldest go while the newest is looked at, and can read back to them', () => {
    const full = append({ ...NO_LINES, list: lines(KEPT) }, lines(5, KEPT), true);
    expect([full.list.length, full.list[0]?.message, full.list.at(-1)?.message]).toEqual([KEPT, '5', `${KEPT + 4}`]);
    expect(full.older).toBe('i=5');
    const back = prepend(full, { lines: lines(5), older: '' });
    expect([back.list[0]?.message, back.older, hasRoom(back)]).toEqual(['0', '', true]);
    expect(trim(back).list).toHaveLength(KEPT);
  });

  it('stay under the eyes of who reads back, and tell what they missed', () => {
    const before = { ...NO_LINES, list: lines(MOST - 1) };
    const full = append(before, lines(1, MOST), false);
    expect([full.list[0]?.message, full.missed, hasRoom(full)]).toEqual(['0', false, false]);
    const over = append(full, lines(1, MOST + 1), false);
    expect([over.list.length, over.missed]).toEqual([MOST, true]);
    expect(append(over, lines(1, MOST + 2), true)).toBe(over);
  });
});

describe('what the hub says', () => {
  it('is read for what it is, and never fails', () => {
    expect(linesOf({ lines: [{ cursor: 'c', message: 'm', priority: 'x', pid: NaN }, null] })).toEqual([
      { ...line(0), cursor: 'c', message: 'm', priority: 0 },
      { ...line(0), cursor: '', message: '', priority: 0 },
    ]);
    for (const nothing of [undefined, null, 'x', {}, { lines: 7, units: 7 }]) {
      expect(pageOf(nothing)).toEqual({ lines: [], older: '', reached: null, notice: '' });
      expect(unitsOf(nothing)).toEqual([]);
      expect(mayRetry(nothing)).toBe(false);
    }
    expect(unitsOf({ units: ['a.service', '', 3] })).toEqual(['a.service']);
  });
});
