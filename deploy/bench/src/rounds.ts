import { setTimeout as wait } from 'node:timers/promises';
import { median } from './stats.ts';

/** How often targets are measured. */
export interface Rounds {
  /** Rounds whose medians count. */
  rounds: number;
  /** Warm-up rounds, which do not count. */
  warm: number;
}

/** Time limit of a measurement of a target, which usually takes seconds. */
const PATIENCE_MS = 120_000;

/**
 * Measures targets in turn over several rounds, so that drifts of the machine's speed affect all.
 * @param measure the figures of one target in one round, by name; the same names each time
 * @param leaveOut called with a target that failed or took longer than two minutes, and is skipped from then on; throws to end all
 * @returns the medians over the rounds, one entry for each target that stayed, in its order
 * @throws Error of the first target that fails, unless `leaveOut` is there
 */
export async function interleave<T, F extends string>(
  targets: readonly T[],
  { rounds, warm }: Rounds,
  measure: (target: T, round: number) => Promise<Record<F, number>>,
  leaveOut = (_: T, error: unknown): void => {
    throw error;
  },
): Promise<{ target: T; figures: Record<F, number> }[]> {
  const seen = new Map(targets.map((target) => [target, [] as Record<F, number>[]]));
  for (let round = -warm; round < rounds; round++) {
    for (const [target, figures] of seen) {
      try {
        const its = await patiently(measure(target, round));
        if (round >= 0) figures.push(its);
      } catch (error) {
        leaveOut(target, error);
        seen.delete(target);
      }
    }
  }
  return [...seen].map(([target, figures]) => ({ target, figures: medians(figures) }));
}

async function patiently<R>(measured: Promise<R>): Promise<R> {
  const watch = new AbortController();
  const late = wait(PATIENCE_MS, undefined, { signal: watch.signal }).then(() => {
    throw new Error(`nothing came for ${PATIENCE_MS / 1_000} s`);
  });
  try {
    return await Promise.race([measured, late]);
  } finally {
    late.catch(() => undefined);
    watch.abort();
  }
}

function medians<F extends string>(rounds: Record<F, number>[]): Record<F, number> {
  const names = Object.keys(rounds[0] ?? {}) as F[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Record<
    F,
    number
  >;
}
