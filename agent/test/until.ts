import { setTimeout as wait } from 'node:timers/promises';

/** Resolves when the condition holds; throws when it does not within 30 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('Not so after 30 s.');
    await wait(10);
  }
}
