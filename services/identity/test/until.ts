import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition holds; fails with `what` when it has not within the time. */
export async function until(what: string, holds: () => Promise<boolean>, ms = 30_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain: ${what}`);
    await wait(20);
  }
}
