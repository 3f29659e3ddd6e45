import type { Bench } from './lab.ts';

/** Every bench by its name, in the order in which they run. */
export const benches: Record<string, () => Promise<Bench>> = {
  terminal: async () => (await import('./benches/terminal.ts')).terminal,
  desktop: async () => (await import('./benches/desktop.ts')).desktop,
  web: async () => (await import('./benches/web.ts')).web,
  memory: async () => (await import('./benches/memory.ts')).memory,
  storm: async () => (await import('./benches/storm.ts')).storm,
  lists: async () => (await import('./benches/lists.ts')).lists,
};
