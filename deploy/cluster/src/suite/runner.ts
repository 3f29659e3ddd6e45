import { writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import type { World } from './world.ts';

/** A step: an action on a running installation, with checks. */
export interface Step {
  name: string;
  /** Steps that must pass before. */
  after?: readonly string[];
  /** @returns figures for the report @throws Error if a check fails */
  run(world: World): Promise<string | undefined>;
}

export interface Result {
  step: string;
  passed: boolean;
  seconds: number;
  /** Figures of a passed step, or the reason of a failure. */
  detail: string;
}

/**
 * Returns the chosen steps with their preconditions, in order.
 * @throws Error for an unknown name
 */
export function chosen(all: readonly Step[], only: readonly string[]): Step[] {
  if (only.length === 0) return [...all];
  const wanted = new Set<string>();
  const want = (name: string) => {
    const step = all.find((one) => one.name === name);
    if (!step) throw new Error(`--only: ${name} came, expected some of ${all.map((one) => one.name).join(', ')}`);
    wanted.add(name);
    step.after?.forEach(want);
  };
  only.forEach(want);
  return all.filter(({ name }) => wanted.has(name));
}

async function attempt(step: Step, world: World): Promise<Result> {
  const since = performance.now();
  const took = () => Math.round((performance.now() - since) / 100) / 10;
  try {
    const detail = (await step.run(world)) ?? '';
    return { step: step.name, passed: true, seconds: took(), detail };
  } catch (error) {
    return {
      step: step.name,
      passed: false,
      seconds: took(),
      detail: error instanceof Error ? error.message : String(error),
    };
  }
}

const line = ({ step, passed, seconds, detail }: Result) =>
  `  ${passed ? 'pass' : 'FAIL'}  ${step.padEnd(16)} ${seconds.toFixed(1).padStart(7)} s  ${detail.split('\n').join('\n        ')}`;

/**
 * Runs steps in sequence. A step fails without running if a precondition failed.
 * @param file path for the results as JSON, written after each step
 */
export async function run(
  steps: readonly Step[],
  world: World,
  file: string,
  stopAtFailure: boolean,
): Promise<Result[]> {
  const results: Result[] = [];
  const failed = new Set<string>();
  for (const step of steps) {
    const missing = step.after?.find((name) => failed.has(name));
    const result = missing
      ? { step: step.name, passed: false, seconds: 0, detail: `not run: ${missing} failed` }
      : await attempt(step, world);
    if (!result.passed) failed.add(step.name);
    results.push(result);
    process.stdout.write(`${line(result)}\n`);
    await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
    if (!result.passed && stopAtFailure) break;
  }
  return results;
}
