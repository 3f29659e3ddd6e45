import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What a test run came to. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** A test that failed, and its whole error. */
interface Failure {
  test: string;
  why: string;
}

/** A file of tests, and how long its tests and their preparation took. */
interface TimedFile {
  file: string;
  seconds: number;
}

interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    message: string;
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}
interface PlaywrightError {
  message?: string;
}
interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    file: string;
    tests: { status: string; results: { duration: number; errors: PlaywrightError[] }[] }[];
  }[];
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
  errors: PlaywrightError[];
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
  throw unknownReport();
}

function unknownReport(): Error {
  return new Error('The report is neither of Jest nor of Playwright.');
}

/**
 * Lists each failed test of a report in one line, with its error up to the code and the stack, so that the end of a long output
 * says what to mend.
 * @throws Error for a report of neither runner
 */
export function failuresOf(report: unknown): string[] {
  if (isJest(report)) return failuresOfJest(report).map(lineOf);
  if (isPlaywright(report)) return failuresOfPlaywright(report).map(lineOf);
  throw unknownReport();
}

function failuresOfJest({ testResults }: JestReport): Failure[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (assertionResults.length === 0) return [{ test: name, why: message }];
    return failed.map(({ fullName, failureMessages }) => ({ test: fullName, why: failureMessages[0] ?? '' }));
  });
}

function failuresOfPlaywright({ suites, errors }: PlaywrightReport): Failure[] {
  const outside = errors.map(({ message }) => ({ test: 'outside of a test', why: message ?? '' }));
  return [...suites.flatMap(failuresOfSuite), ...outside];
}

function failuresOfSuite({ suites = [], specs }: PlaywrightSuite): Failure[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => ({
        test: `${file}: ${title}`,
        why: results.flatMap(({ errors }) => errors)[0]?.message ?? '',
      })),
  );
  return [...own, ...suites.flatMap(failuresOfSuite)];
}

/**
 * How long each file of a report took.
 * @throws Error for a report of neither runner
 */
export function timesOf(report: unknown): TimedFile[] {
  if (isJest(report))
    return report.testResults.map(({ name, startTime, endTime }) => ({
      file: name,
      seconds: (endTime - startTime) / 1_000,
    }));
  if (!isPlaywright(report)) throw unknownReport();
  const files = Map.groupBy(report.suites.flatMap(timesOfSuite), ({ file }) => file);
  return [...files].map(([file, tests]) => ({ file, seconds: tests.reduce((sum, { seconds }) => sum + seconds, 0) }));
}

function timesOfSuite({ suites = [], specs }: PlaywrightSuite): TimedFile[] {
  const own = specs.flatMap(({ file, tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => ({ file, seconds: duration / 1_000 }))),
  );
  return [...own, ...suites.flatMap(timesOfSuite)];
}

const CHILDREN = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/;

/**
 * Reads the processor time of a part from what `times` of a shell wrote (POSIX, times: the second line is of its children).
 * @returns seconds, in user and in system mode
 * @throws Error for another text
 */
export function processorTime(text: string): number {
  const [, minutes, seconds, systemMinutes, systemSeconds] = CHILDREN.exec(text.trim().split('\n')[1] ?? '') ?? [];
  if (systemSeconds === undefined)
    throw new Error(`The times of a part: expected two lines such as 0m1.2s 0m0.3s, got ${text}`);
  return (Number(minutes) + Number(systemMinutes)) * 60 + Number(seconds) + Number(systemSeconds);
}

const SLOWEST = 10;

/** Lists the slowest files in one line. */
export function slowestLine(files: readonly TimedFile[], folder = process.cwd()): string {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const parts = slowest.map(({ file, seconds }) => `${file.replace(`${folder}/`, '')} ${Math.round(seconds)} s`);
  return `Slowest: ${parts.join(', ')}`;
}

const MOST_CHARACTERS = 600;
const CODE_OR_STACK = /^\s*(at |>?\s*\d+ \|)/;

function lineOf({ test, why }: Failure): string {
  const lines = stripVTControlCharacters(why).split('\n');
  const end = lines.findIndex((line) => CODE_OR_STACK.test(line));
  const said = lines.slice(0, end === -1 ? undefined : end).map((line) => line.trim());
  return `FAILED ${test}: ${said.filter(Boolean).join(' · ').slice(0, MOST_CHARACTERS)}`;
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
  const reports = files.map((file): unknown => JSON.parse(readFileSync(file, 'utf8')));
  const tallies = reports.map(tallyOf);
  const parts = globSync('test-results/*.times').sort();
  const times = parts.map(
    (path) => `${basename(path, '.times')} ${Math.round(processorTime(readFileSync(path, 'utf8')))} s`,
  );
  if (times.length > 0) console.log(`Processor time: ${times.join(', ')}`);
  console.log(slowestLine(reports.flatMap(timesOf)));
  for (const line of reports.flatMap(failuresOf)) console.log(line);
  console.log(closingLine(tallies));
  process.exitCode = tallies.some(({ failed }) => failed > 0) ? 1 : 0;
}
