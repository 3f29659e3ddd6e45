import type { FullConfig } from '@playwright/test';
import { terminalProgress } from '@warren/local/progress';
import { startStack } from './stack.ts';

/** Starts the copy that the tests run against, unless `WARREN_E2E` names one, and stops it at the end. */
export default async function setup(config: FullConfig): Promise<(() => Promise<void>) | undefined> {
  if (process.env['WARREN_E2E']) return undefined;
  const logs = `${config.projects[0]?.outputDir ?? 'e2e'}.logs`;
  const stack = await startStack(terminalProgress(process.stdout), logs);
  // Workers inherit it.
  process.env['WARREN_E2E'] = stack.control;
  return () => stack.stop();
}
