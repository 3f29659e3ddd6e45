import { constants } from 'node:os';

/** `SIGTERM` for 15; undefined for an unknown signal. */
export function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
