const WANTED = 'warren:shortcuts';

/** Opens the list of shortcuts. */
export const showShortcuts = (): boolean => window.dispatchEvent(new Event(WANTED));

/** Calls `show` when the list of shortcuts is requested. Returns the undo. */
export function onShortcutsWanted(show: () => void): () => void {
  window.addEventListener(WANTED, show);
  return () => window.removeEventListener(WANTED, show);
}
