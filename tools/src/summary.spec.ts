import { describe, expect, it } from '@jest/globals';
import { closingLine, failuresOf, processorTime, slowestLine, tallyOf, timesOf } from './summary.ts';

const jest = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  numRuntimeErrorTestSuites: 1,
  testResults: [
    {
      name: '/warren/a.spec.ts',
      message: 'all of the output',
      startTime: 1_000,
      endTime: 3_400,
      assertionResults: [
        { fullName: 'a holds', status: 'passed', failureMessages: [] },
        { fullName: 'a breaks', status: 'failed', failureMessages: ['\u001b[2mexpected 1\u001b[22m\nreceived 2'] },
      ],
    },
    {
      name: '/warren/b.spec.ts',
      message: '\n  Cannot find module',
      startTime: 3_400,
      endTime: 3_500,
      assertionResults: [],
    },
  ],
};
const spec = (title: string, status: string, message?: string) => ({
  title,
  file: 'c.spec.ts',
  tests: [{ status, results: [{ duration: 20_000, errors: message ? [{ message }] : [] }] }],
});
const playwright = {
  suites: [
    { specs: [spec('is quick', 'unexpected', 'Error: too late\n  at c.spec.ts')] },
    { specs: [], suites: [{ specs: [spec('is well', 'expected'), spec('wavers', 'flaky', 'Error: once')] }] },
  ],
  stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 },
  errors: [{ message: 'no browser' }],
};

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

describe('the line of the slowest files', () => {
  it('has those of all runners, longest first, below their folder', () => {
    const files = [...timesOf(jest), ...timesOf(playwright)];
    expect(slowestLine(files, '/warren')).toBe('Slowest: c.spec.ts 60 s, a.spec.ts 2 s, b.spec.ts 0 s');
  });

  it('has ten at most', () => {
    const files = Array.from({ length: 12 }, (_, at) => ({ file: `${at}.spec.ts`, seconds: at }));
    expect(slowestLine(files).split(', ')).toHaveLength(10);
  });
});

describe('the processor time of a part', () => {
  it('is that of the children of its shell', () => {
    expect(processorTime('0m0.01s 0m0.02s\n12m3.50s 1m2.25s\n')).toBe(785.75);
  });

  it('rejects any other text', () => {
    expect(() => processorTime('real 1.2')).toThrow('expected two lines');
  });
});

describe('the list of what failed', () => {
  it('names each failed test, and the suite that did not load, with its error', () => {
    expect(failuresOf(jest)).toEqual([
      'FAILED a breaks: expected 1 · received 2',
      'FAILED /warren/b.spec.ts: Cannot find module',
    ]);
  });

  it('names tests of groups within groups, and what failed outside of a test', () => {
    expect(failuresOf(playwright)).toEqual([
      'FAILED c.spec.ts: is quick: Error: too late',
      'FAILED c.spec.ts: wavers: Error: once',
      'FAILED outside of a test: no browser',
    ]);
  });

  it('refuses what is no report', () => {
    expect(() => failuresOf({})).toThrow('neither');
  });
});
