const WANTED = 'warren:shortcuts';

/** Opens the list of keys. */
export const showShortcuts = (): boolean => window.dispatchEvent(new Event(WANTED));

/** Calls `show` when the list of keys is asked for. Gives back what ends that. */
export function onShortcutsWanted(show: () => void): () => void {
  window.addEventListener(WANTED, show);
  return () => window.removeEventListener(WANTED, show);
}
