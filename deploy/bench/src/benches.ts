import type { Bench } from './lab.ts';

/** All benches by name, in order. */
export const benches: Record<string, () => Promise<Bench>> = {
  idle: async () => (await import('./benches/idle.ts')).idle,
  terminal: async () => (await import('./benches/terminal.ts')).terminal,
  recording: async () => (await import('./benches/recording.ts')).recording,
  replay: async () => (await import('./benches/replay.ts')).replay,
  neighbour: async () => (await import('./benches/neighbour.ts')).neighbour,
  desktop: async () => (await import('./benches/desktop.ts')).desktop,
  web: async () => (await import('./benches/web.ts')).web,
  memory: async () => (await import('./benches/memory.ts')).memory,
  capacity: async () => (await import('./benches/capacity.ts')).capacity,
  storm: async () => (await import('./benches/storm.ts')).storm,
  rest: async () => (await import('./benches/rest.ts')).rest,
  metrics: async () => (await import('./benches/metrics.ts')).metrics,
  bulk: async () => (await import('./benches/bulk.ts')).bulk,
  lists: async () => (await import('./benches/lists.ts')).lists,
  audit: async () => (await import('./benches/audit.ts')).audit,
  migrations: async () => (await import('./benches/migrations.ts')).migrations,
};
