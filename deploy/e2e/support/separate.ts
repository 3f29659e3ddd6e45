import { join } from 'node:path';
import { silent } from '@warren/local/progress';
import { startStack } from '../stack/stack.ts';
import { test as base } from './test.ts';
import { Warren } from './warren.ts';

const START_MS = 180_000;
const results = join(import.meta.dirname, '../../../test-results');

/**
 * Tests on a separate installation.
 * @param name of its logs
 * @param environment settings of it, by their variables
 */
export function testOnSeparate(name: string, environment: NodeJS.ProcessEnv) {
  return base.extend<object, { warren: Warren }>({
    warren: [
      // Playwright reads what a fixture needs from its first parameter's pattern.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const logs = join(results, `e2e.${name}.logs`);
        const stack = await startStack(silent, logs, { gateway: 1, tunnels: 1 }, environment);
        try {
          await use(await Warren.find(stack.control));
        } finally {
          await stack.stop();
        }
      },
      { scope: 'worker', timeout: START_MS },
    ],
  });
}
