import { join } from 'node:path';
import { silent } from '@warren/local/progress';
import { startStack } from '../stack/stack.ts';
import { test as base } from './test.ts';
import { Warren } from './warren.ts';

const START_MS = 180_000;
const logs = join(import.meta.dirname, '../../../test-results/e2e.replicas.logs');

/** Tests on a copy of their own, with two gateways behind one address and two replicas of tunnels. */
export const test = base.extend<object, { warren: Warren }>({
  warren: [
    // Playwright reads what a fixture needs from its first parameter's pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const stack = await startStack(silent, logs, { gateway: 2, tunnels: 2 });
      try {
        await use(await Warren.find(stack.control));
      } finally {
        await stack.stop();
      }
    },
    { scope: 'worker', timeout: START_MS },
  ],
});

export { expect, measured } from './test.ts';
