import type { Terminal } from './terminal.ts';

/** Why a terminal can't be pinned, in words for people; empty if it can. */
export function unpinnable({ exit, keeper }: Terminal): string {
  if (exit) return 'the program has ended';
  if (!keeper) return 'its program would end with the agent';
  return keeper.canPin ? '' : 'it was opened by an older version of the agent; a new one can be pinned';
}
