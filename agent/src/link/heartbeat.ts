/** The hub sends a PING every 9 s; with none and no other byte for this long, it is gone. */
export const SILENCE_MS = 14_000;

/**
 * Watches a count of received bytes and calls `onSilent` once when it has stood still for `silence` milliseconds.
 * @returns its undo
 */
export function watchSilence(bytesRead: () => number, onSilent: () => void, silence = SILENCE_MS): () => void {
  let seen = bytesRead();
  let heardAt = performance.now();
  const timer = setInterval(() => {
    const now = bytesRead();
    if (now !== seen) {
      seen = now;
      heardAt = performance.now();
    } else if (performance.now() - heardAt >= silence) {
      clearInterval(timer);
      onSilent();
    }
  }, silence / 6);
  return () => clearInterval(timer);
}
