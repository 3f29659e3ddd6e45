import { describe, expect, it } from '@jest/globals';
import { foregroundOf, parseForeground, parseStartTicks } from './processes.ts';

/** A line of proc_pid_stat(5) whose fields after the name are their own numbers. */
const stat = `12 (a) b (c) ${Array.from({ length: 40 }, (_, i) => String(i + 3)).join(' ')}`;

describe('a line of proc_pid_stat', () => {
  it('is parsed with any process name', () => {
    expect(parseStartTicks(stat)).toBe(22);
    expect(parseForeground(stat)).toBe(8);
  });

  it('may be missing', () => {
    expect(parseStartTicks('')).toBeNaN();
    expect(parseForeground('')).toBe(-1);
  });
});

describe('foregroundOf', () => {
  it('is undefined for a missing process', async () => {
    expect(await foregroundOf(2 ** 30)).toBe('');
  });
});
