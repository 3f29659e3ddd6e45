import { readFile } from 'node:fs/promises';
import type { Warren } from './warren.ts';

/** Ends the shells that a test has left behind: the agent keeps them for ten minutes, and takes only so many. */
export async function endShells(warren: Warren): Promise<void> {
  const { agent } = await warren.pids();
  const children = await readFile(`/proc/${agent}/task/${agent}/children`, 'utf8').catch(() => '');
  for (const pid of children.split(' ').filter(Boolean).map(Number)) {
    try {
      process.kill(pid, 'SIGHUP');
    } catch {
      // It has ended by itself.
    }
  }
}
