import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { RecordingWriter } from '../writer.ts';
import { RecordingBudget } from './budget.ts';
import { Recording } from './recording.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it.each([
  ['terminal', 25, 25 * 3_600_000],
  ['desktop', 10, 600_000],
] as const)('says now and then that a silent %s is still recorded, until it is released', (kind, times, ms) => {
  const touched: string[] = [];
  const writer: Pick<RecordingWriter, 'touch' | 'release'> = {
    touch: async (id) => void touched.push(id),
    release: () => {},
  };
  const owner = { stored: () => {}, slow: () => {}, room: () => {}, failed: () => {} };
  const at = { id: 'r', kind, startedAt: Date.now(), next: 0 };
  const recording = new Recording(at, writer as RecordingWriter, new RecordingBudget(), owner);
  jest.advanceTimersByTime(ms);
  expect(touched).toHaveLength(times);
  recording.stop();
  jest.advanceTimersByTime(ms);
  expect(touched).toHaveLength(times);
});
