import { describe, expect, it } from '@jest/globals';
import { closingLine, tallyOf } from './summary.ts';

const jest = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  numRuntimeErrorTestSuites: 1,
};
const playwright = { suites: [], stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 }, errors: [{}] };

describe('the closing line', () => {
  it('adds the runners up', () => {
    expect(closingLine([tallyOf(jest), tallyOf(playwright)])).toBe('7 passed, 5 failed, 4 skipped');
  });

  it('counts a suite that did not load, and a test that passed at the second try, as failed', () => {
    expect(tallyOf({ ...jest, numFailedTests: 0 }).failed).toBe(1);
    expect(tallyOf({ ...playwright, errors: [] }).failed).toBe(2);
  });

  it('refuses what is no report', () => {
    expect(() => tallyOf({})).toThrow('neither');
  });
});
