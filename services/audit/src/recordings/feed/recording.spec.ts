import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { RecordingWriter } from '../writer.ts';
import { RecordingBudget } from './budget.ts';
import { Recording } from './recording.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('says each hour that a silent terminal is still recorded, until it is released', () => {
  const touched: string[] = [];
  const writer: Pick<RecordingWriter, 'touch' | 'release'> = {
    touch: async (id) => void touched.push(id),
    release: () => {},
  };
  const owner = { stored: () => {}, slow: () => {}, room: () => {}, failed: () => {} };
  const at = { startedAt: Date.now(), next: 0 };
  const recording = new Recording('r', at, writer as RecordingWriter, new RecordingBudget(), owner);
  jest.advanceTimersByTime(25 * 3_600_000);
  expect(touched).toHaveLength(25);
  recording.stop();
  jest.advanceTimersByTime(25 * 3_600_000);
  expect(touched).toHaveLength(25);
});
