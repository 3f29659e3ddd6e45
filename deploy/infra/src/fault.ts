import { setTimeout as wait } from 'node:timers/promises';

/** Kills this process with SIGKILL. Never settles: the signal may take a moment, in which nothing more may happen. */
export async function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return (await wait(60_000)) as never;
}
