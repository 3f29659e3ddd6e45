import { links } from '@warren/local/steps/agent';
import { parseArgs } from 'node:util';
import { extras } from './extras.ts';
import type { Choice } from './lab.ts';
import { ways } from './simulator/gateways.ts';

const options = {
  rounds: { type: 'string', default: '3' },
  warm: { type: 'string', default: '2' },
  samples: { type: 'string', default: '2000' },
  megabytes: { type: 'string', default: '100' },
  agents: { type: 'string', default: '10000' },
  devices: { type: 'string', default: '50000' },
  patience: { type: 'string', default: '180' },
  ways: { type: 'string', default: ways.join() },
  way: { type: 'string', default: 'tunnels' },
  with: { type: 'string' },
} as const;

/**
 * Parses the command line; `all` are the names of the benches.
 * @throws Error with the value and what was expected
 */
export function readChoice(args: string[], all: string[]): { names: string[]; choice: Choice } {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = positionals.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no bench "${unknown}"; there are ${all.join(', ')}.`);
  const count = (name: 'rounds' | 'warm' | 'samples' | 'megabytes' | 'agents' | 'devices' | 'patience', least = 1) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < least)
      throw new Error(`--${name} is "${values[name]}", expected ${least} or more.`);
    return value;
  };
  const way = links.find((one) => one === values.way);
  if (!way) throw new Error(`--way is "${values.way}", expected ${links.join(' or ')}.`);
  const choice: Choice = {
    rounds: count('rounds'),
    warm: count('warm', 0),
    samples: count('samples'),
    megabytes: count('megabytes'),
    agents: count('agents'),
    devices: count('devices'),
    patience: count('patience'),
    ways: some('ways', values.ways, ways),
    way,
    with: values.with === undefined ? [] : some('with', values.with, extras),
  };
  return { names: positionals.length > 0 ? all.filter((name) => positionals.includes(name)) : all, choice };
}

/** Parses a comma-separated list of known names. */
function some<T extends string>(option: string, given: string, there: readonly T[]): T[] {
  const names = given.split(',');
  const chosen = there.filter((one) => names.includes(one));
  if (chosen.length === names.length) return chosen;
  throw new Error(`--${option} is "${given}", expected some of ${there.join()}.`);
}
