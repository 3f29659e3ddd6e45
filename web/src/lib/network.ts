import { useSyncExternalStore } from 'react';
import { hubNow } from './clock.ts';

/** `offline`: the browser has no network; `silent`: the hub sends nothing. */
type NetworkState = 'online' | 'offline' | 'silent';

export interface Network {
  state: NetworkState;
  /** Until when the shown data was current, by the hub's clock, in ms since epoch. */
  since: number;
}

/** Whether the hub is reachable, by the browser and the stream of changes. */
class NetworkStore {
  snapshot: Network = { state: 'online', since: 0 };
  private readonly listeners = new Set<() => void>();
  private offline = false;
  private silent = false;

  /** Listens to the browser's network events, which come at once. */
  watch(): void {
    const look = () => {
      this.offline = !navigator.onLine;
      this.settle();
    };
    window.addEventListener('offline', look);
    window.addEventListener('online', look);
    look();
  }

  /** @param silent whether expected messages of the hub are missing */
  hears(silent: boolean): void {
    this.silent = silent;
    this.settle();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  private settle(): void {
    const state = this.offline ? 'offline' : this.silent ? 'silent' : 'online';
    const former = this.snapshot;
    if (state === former.state) return;
    this.snapshot = { state, since: former.state === 'online' ? hubNow() : former.since };
    document.documentElement.toggleAttribute('data-stale', state !== 'online');
    for (const listener of this.listeners) listener();
  }
}

export const network = new NetworkStore();

export const useNetwork = (): Network => useSyncExternalStore(network.subscribe, () => network.snapshot);
