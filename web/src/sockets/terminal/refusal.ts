import type { Registered } from './codec.ts';

/**
 * What follows from a refusal. `retry`: another attempt may succeed. `gone`: the terminal has ended. `left`: another screen took it
 * over, its owner let nobody in, or this one is too slow for it: the user may try again. `over`: there is nothing to come back to.
 */
export type Consequence = 'retry' | 'gone' | 'left' | 'over';

/** How often a terminal that the browser has drawn may be refused before it counts as gone. */
const REFUSALS = 3;

/** Of the codes that say enough. */
const CONSEQUENCES: Readonly<Record<string, Consequence>> = {
  gone: 'gone',
  offset: 'gone',
  taken_over: 'left',
  input_full: 'left',
  full: 'left',
  screen: 'left',
  absent: 'left',
  declined: 'left',
  removed: 'left',
  withdrawn: 'over',
  limit: 'over',
  invalid: 'over',
  outdated: 'over',
  // For a moment.
  not_connected: 'retry',
  unrecorded: 'retry',
};

/** @param refusals the number of consecutive ones, including this one */
export function consequenceOf({ code }: Registered, refusals: number): Consequence {
  const known = Object.hasOwn(CONSEQUENCES, code) ? CONSEQUENCES[code] : undefined;
  return known ?? (refusals < REFUSALS ? 'retry' : 'gone');
}
