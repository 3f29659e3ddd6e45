import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Every project's tests in one run: `make test`. A single project: `npx jest -c services/devices/jest.config.mjs`. */
export default {
  // A loaded machine is slow, not wrong: against hanging only.
  testTimeout: 180_000,
  // The end-to-end tests beside them take what these leave while they wait.
  maxWorkers: availableParallelism(),
  // Modules of former files stay in memory: a new worker costs less than to collect garbage around them.
  workerIdleMemoryLimit: '700MB',
  projects: globSync('{agent,proto,rules,transport,web,tools,services/*,deploy/*}/jest.config.mjs', {
    cwd: import.meta.dirname,
  }).map((file) => `<rootDir>/${file}`),
};
