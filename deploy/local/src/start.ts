import { performance } from 'node:perf_hooks';
import { failure } from './failure.ts';
import { terminalProgress } from './progress.ts';
import { summary } from './summary.ts';
import { startWarren } from './warren.ts';

const since = performance.now();
const progress = terminalProgress(process.stdout);
const interrupted = new AbortController();

/** One Ctrl-C can cause several signals, from the terminal and from parent processes. */
const sameKey = 1000;

/** Resolves at the first Ctrl-C; a later one ends this process at once, and the others with it. */
const asked = new Promise<void>((resolve) => {
  let first = 0;
  const stop = () => {
    if (first && performance.now() - first > sameKey) process.exit(130);
    first ||= performance.now();
    interrupted.abort(new Error('stopped'));
    resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
});

try {
  const warren = await startWarren({ progress, signal: interrupted.signal });
  process.stdout.write(summary(warren, (performance.now() - since) / 1000));
  await asked;
  await progress.step('Stopping', () => warren.stop());
} catch (error) {
  if (!interrupted.signal.aborted) process.stderr.write(`\n${failure(error)}\n`);
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
}
process.exit();
