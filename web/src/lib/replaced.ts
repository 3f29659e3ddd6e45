import { leave } from './leave.ts';
import { recall, remember } from './storage.ts';
import { hasTyped } from './typed.ts';

const KEY = 'warren.reloaded';
/** Minimum time between reloads, in milliseconds; until then the page shows the error. */
const AGAIN_MS = 60_000;
const gone = new WeakSet<object>();

/**
 * Reloads the page if the hub no longer has a part of it, because its console is newer. Never reloads in a loop, nor while unsaved input
 * would be lost. Vite reports such a part as `vite:preloadError`, and then throws the same error.
 */
export function reloadWhenReplaced(now: () => number = Date.now): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    gone.add(payload);
    if (hasTyped() || !mayReload(now())) return;
    // The router has finished the navigation by then, so the reload keeps its URL.
    setTimeout(() => leave.reload());
  });
}

/** Tells whether an error is about a missing part of the console. */
export const isReplaced = (error: unknown): boolean => typeof error === 'object' && error !== null && gone.has(error);

function mayReload(now: number): boolean {
  const last = Number(recall(KEY, () => sessionStorage));
  if (last > 0 && now - last < AGAIN_MS) return false;
  remember(KEY, String(now), () => sessionStorage);
  // Without storage, nothing would end a loop.
  return recall(KEY, () => sessionStorage) !== null;
}
