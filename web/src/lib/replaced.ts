import { leave } from './leave.ts';
import { recall, remember } from './storage.ts';
import { hasTyped } from './typed.ts';

const KEY = 'warren.reloaded';
/** A reload that didn't help is not tried again for so long; the page then says what is wrong. */
const AGAIN_MS = 60_000;
const gone = new WeakSet<object>();

/**
 * Reloads the page when a part of it is gone from the hub, because the hub has a newer console; once, never in a loop, and not
 * while something typed would be lost. Vite tells of such a part (`vite:preloadError`), and then throws what it tells of.
 */
export function reloadWhenReplaced(now: () => number = Date.now): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    gone.add(payload);
    if (hasTyped() || !mayReload(now())) return;
    // By then the router has finished the navigation, so that the reload keeps its address.
    setTimeout(() => leave.reload());
  });
}

/** Whether an error says that a part of the console is gone. */
export const isReplaced = (error: unknown): boolean => typeof error === 'object' && error !== null && gone.has(error);

function mayReload(now: number): boolean {
  const last = Number(recall(KEY, () => sessionStorage));
  if (last > 0 && now - last < AGAIN_MS) return false;
  remember(KEY, String(now), () => sessionStorage);
  // Where nothing is remembered, nothing would end a loop.
  return recall(KEY, () => sessionStorage) !== null;
}
