import { setTimeout as wait } from 'node:timers/promises';

/** Rejects if a promise takes too long. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      work,
      wait(ms, undefined, { signal: ended.signal }).then(() => {
        throw new Error(`no answer in ${ms / 1000} s`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}
