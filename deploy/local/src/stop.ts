import { setTimeout as sleep } from 'node:timers/promises';
import { failure } from './failure.ts';
import { holder } from './lock.ts';
import { places, readSettings } from './settings.ts';

/** `make stop`: ends a start that runs elsewhere, and waits until it is gone. */
try {
  const { home } = readSettings(process.env);
  const file = places(home).lock;
  const pid = await holder(file);
  if (pid) process.kill(pid, 'SIGTERM');
  while ((await holder(file)) !== undefined) await sleep(100);
  process.stdout.write(pid ? 'Warren is stopped.\n' : `Warren does not run from ${home}.\n`);
} catch (error) {
  process.stderr.write(`${failure(error)}\n`);
  process.exitCode = 1;
}
