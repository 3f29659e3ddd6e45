import { describe, expect, it } from '@jest/globals';
import { dayBefore, monthBefore, partitionName } from './history.ts';

const NOW = new Date('2026-03-01T13:45:10Z');

describe('the spans of the history', () => {
  it('are named as fleet names its partitions', () => {
    expect(partitionName('incoming', NOW)).toBe('incoming_2026030113');
    expect(partitionName('five_minutes', NOW)).toBe('five_minutes_20260301');
    expect(partitionName('hours', NOW)).toBe('hours_202603');
  });

  it('begin at midnight, and with the month', () => {
    expect(dayBefore(NOW).toISOString()).toBe('2026-02-28T00:00:00.000Z');
    expect(monthBefore(NOW, 3).toISOString()).toBe('2025-12-01T00:00:00.000Z');
    expect(monthBefore(NOW, -1).toISOString()).toBe('2026-04-01T00:00:00.000Z');
  });
});
