import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '../stack/facts.ts';
import { long } from './soak.ts';
import type { Warren } from './warren.ts';

/** A failure while a session is recorded. */
export interface Fault<At = { warren: Warren }> {
  name: string;
  happen: (at: At) => Promise<void>;
}

export const NO_FAULT: Fault = { name: 'no failure', happen: async () => {} };

export const killed = (name: ProcessName): Fault => ({
  name: `kill -9 of ${name}`,
  happen: async ({ warren }) => {
    await warren.hold(name);
    await sleep(long ? 10_000 : 1_000);
    await warren.start(name);
  },
});

export const STORE_AWAY: Fault = {
  name: 'a store that takes nothing',
  happen: async ({ warren }) => {
    const folder = join(warren.facts.home, 'recordings');
    await rename(folder, `${folder}.away`);
    await sleep(long ? 20_000 : 3_000);
    await rename(`${folder}.away`, folder);
  },
};
