import { once } from 'node:events';
import { join } from 'node:path';
import { terminalProgress } from '@warren/local/progress';
import { startStack } from './stack.ts';

const logs = join(import.meta.dirname, '../../../test-results/e2e.logs');

// A copy that stays, to run tests against again and again: npm run stack -w @warren/e2e
const stack = await startStack(terminalProgress(process.stdout), logs);
console.log(
  `\nHub   ${stack.facts.hub}\nTests WARREN_E2E=${stack.control} npm run e2e -w @warren/e2e\nCtrl-C stops it.`,
);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await stack.stop();
