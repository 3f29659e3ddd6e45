import { keys, recall, remember } from './storage.ts';

/** Bulk jobs whose progress this browser shows on every page, until the person dismisses them. Reloads keep them. */
const MOST = 5;
const listeners = new Set<() => void>();
let ids: readonly string[] = read();

function read(): readonly string[] {
  return (recall(keys.bulkJobs) ?? '').split(',').filter((id) => id !== '');
}

function write(next: readonly string[]): void {
  ids = next;
  remember(keys.bulkJobs, next.length > 0 ? next.join() : null);
  for (const listener of listeners) listener();
}

export const trackedJobs = {
  ids: (): readonly string[] => ids,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  add: (id: string) => write([id, ...ids.filter((other) => other !== id)].slice(0, MOST)),
  remove: (id: string) => write(ids.filter((other) => other !== id)),
};
