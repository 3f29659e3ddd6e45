import { median } from './stats.ts';

/** How often targets are measured. */
export interface Rounds {
  /** Rounds whose medians count. */
  rounds: number;
  /** Rounds before them that do not count: what runs for months is not measured while its code is still being compiled. */
  warm: number;
}

/**
 * Measures targets in turn, several rounds, so that a machine whose speed drifts is fair to all.
 * @param measure the figures of one target in one round, by name; the same names each time
 * @returns the medians over the rounds, one entry for each target in its order
 */
export async function interleave<T, F extends string>(
  targets: readonly T[],
  { rounds, warm }: Rounds,
  measure: (target: T, round: number) => Promise<Record<F, number>>,
): Promise<{ target: T; figures: Record<F, number> }[]> {
  const seen = targets.map((target) => ({ target, rounds: [] as Record<F, number>[] }));
  for (let round = -warm; round < rounds; round++) {
    for (const one of seen) {
      const figures = await measure(one.target, round);
      if (round >= 0) one.rounds.push(figures);
    }
  }
  return seen.map(({ target, rounds }) => ({ target, figures: medians(rounds) }));
}

function medians<F extends string>(rounds: Record<F, number>[]): Record<F, number> {
  const names = Object.keys(rounds[0] ?? {}) as F[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Record<
    F,
    number
  >;
}
