import { globSync, readFileSync } from 'node:fs';

/** What a test run came to. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/**
 * Reads the report of a runner: Jest's `--json` or Playwright's `json` reporter. A suite that did not even load counts as a
 * failure, and so does a test that passed only when tried again.
 * @throws Error for a report of neither
 */
export function tallyOf(report: unknown): Tally {
  if (isJest(report)) {
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  }
  if (isPlaywright(report)) {
    const { expected, unexpected, flaky, skipped } = report.stats;
    return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped };
  }
  throw new Error('The report is neither of Jest nor of Playwright.');
}

/** The closing line over several runs. */
export function closingLine(tallies: Tally[]): string {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
}

function isJest(report: unknown): report is JestReport {
  return typeof report === 'object' && report !== null && 'numPassedTests' in report;
}

function isPlaywright(report: unknown): report is PlaywrightReport {
  return typeof report === 'object' && report !== null && 'stats' in report && 'suites' in report;
}

if (import.meta.main) {
  const files = globSync(process.argv[2] ?? 'test-results/*.report.json').sort();
  if (files.length === 0) throw new Error('No report was written: no test ran.');
  const tallies = files.map((file) => tallyOf(JSON.parse(readFileSync(file, 'utf8'))));
  console.log(closingLine(tallies));
  process.exitCode = tallies.some(({ failed }) => failed > 0) ? 1 : 0;
}
