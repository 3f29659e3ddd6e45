import { useSyncExternalStore } from 'react';

let wanted = false;
const listeners = new Set<() => void>();

/** Has the place of the toasts loaded, which is not there before there is something to tell. */
export function wantToasts(): void {
  wanted = true;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useToastsWanted = (): boolean => useSyncExternalStore(subscribe, () => wanted);
