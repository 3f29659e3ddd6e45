import type { TestDetails } from '@playwright/test';

/** Whether tests last as long, and try as much, as in `make soak`. */
export const long = process.env['WARREN_SOAK'] === '1';

/** Details of a test that `make soak` alone runs: `make test` has a cheaper proof of the same. */
export const SOAK: TestDetails = { tag: '@soak' };

/** Details of one test of many alike: `make test` runs those of these names. */
export const soakBut =
  (...names: string[]) =>
  (name: string): TestDetails =>
    names.includes(name) ? {} : SOAK;
