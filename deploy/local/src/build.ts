import { failure } from './failure.ts';
import { terminalProgress } from './progress.ts';
import { build } from './steps/build.ts';

/** The program of `make build`. */
try {
  await terminalProgress(process.stdout).step('Build', (note) => build(note, process.env));
} catch (error) {
  process.stderr.write(`\n${failure(error)}\n`);
  process.exitCode = 1;
}
