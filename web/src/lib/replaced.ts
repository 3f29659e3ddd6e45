import { leave } from './leave.ts';

const KEY = 'warren.reloaded';
/** A reload that didn't help is not tried again for so long; the page then says what is wrong. */
const AGAIN_MS = 60_000;

/**
 * Reloads the page when a part of it is gone from the hub, because the hub has a newer console; once, never in a loop.
 * Vite tells of it (`vite:preloadError`), and throws what it tells of unless somebody prevents that.
 */
export function reloadWhenReplaced(now: () => number = Date.now): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!mayReload(now())) return;
    event.preventDefault();
    leave.reload();
  });
}

function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(KEY));
    if (last > 0 && now - last < AGAIN_MS) return false;
    sessionStorage.setItem(KEY, String(now));
    return true;
  } catch {
    // Nothing would be remembered, so nothing would end a loop.
    return false;
  }
}
