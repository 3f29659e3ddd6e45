import { join } from 'node:path';
import { silent } from '@warren/local/progress';
import { startStack } from '../stack/stack.ts';
import { Directory } from './directory.ts';
import { Rig } from './rig.ts';
import { test as base } from './test.ts';
import { Warren } from './warren.ts';

const START_MS = 180_000;
const RIG_MS = 120_000;
const logs = join(import.meta.dirname, '../../../test-results/e2e.replicas.logs');

interface Used {
  /** A separate device with its ways to the hub; both are restored before the next test. */
  rig: Rig;
}

interface Kept {
  warren: Warren;
  keptRig: Rig;
  /** Which replica holds which device. */
  directory: Directory;
}

/** Tests on a separate copy, with two gateways behind one address and two replicas of tunnels. */
export const test = base.extend<Used, Kept>({
  warren: [
    // Playwright reads what a fixture needs from its first parameter's pattern.
    // oxlint-disable-next-line no-empty-pattern
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
  keptRig: [
    async ({ browser, warren }, use) => {
      const rig = await Rig.make(browser, warren);
      await use(rig);
      await rig.remove();
    },
    { scope: 'worker', timeout: RIG_MS },
  ],
  directory: [
    async ({ warren }, use) => {
      const directory = new Directory(warren);
      await use(directory);
      directory.close();
    },
    { scope: 'worker' },
  ],
  rig: async ({ keptRig, warren }, use) => {
    await use(keptRig);
    await warren.restore();
    await keptRig.connected();
  },
});

export { expect, measured } from './test.ts';
