import { describe, expect, it } from '@jest/globals';
import { newTrace } from './trace.ts';

describe('the trace of a call', () => {
  it('is a valid header, and a new one each time', () => {
    const [one, other] = [newTrace(), newTrace()];
    expect(one).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    expect(other).not.toBe(one);
  });
});
