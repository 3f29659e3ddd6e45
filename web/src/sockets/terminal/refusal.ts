import type { Registered } from './codec.ts';

/**
 * What follows from a refusal. `retry`: another attempt may succeed. `gone`: the terminal has ended. `left`: another screen took it
 * over, its owner let nobody in, or this one is too slow for it: the user may try again. `over`: there is nothing to come back to.
 */
export type Consequence = 'retry' | 'gone' | 'left' | 'over';

/** How often a terminal that the browser has drawn may be refused before it counts as gone. */
const REFUSALS = 3;

/** @param refusals the number of consecutive ones, including this one */
export function consequenceOf({ code }: Registered, refusals: number): Consequence {
  switch (code) {
    case 'gone':
    case 'offset':
      return 'gone';
    case 'taken_over':
    case 'input_full':
    case 'full':
    case 'screen':
    case 'absent':
    case 'declined':
    case 'removed':
      return 'left';
    case 'withdrawn':
    case 'limit':
    case 'invalid':
      return 'over';
    // The device is offline for a moment, or reports no reason.
    default:
      return code === 'not_connected' || refusals < REFUSALS ? 'retry' : 'gone';
  }
}
