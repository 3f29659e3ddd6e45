import { useSyncExternalStore } from 'react';

let wanted = false;
const listeners = new Set<() => void>();

/** Whether the hub has refused something until the person signs in again. */
export const recentSignIn = {
  want: (now: boolean): void => {
    wanted = now;
    for (const listener of listeners) listener();
  },
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useRecentSignInWanted = (): boolean => useSyncExternalStore(subscribe, () => wanted);
