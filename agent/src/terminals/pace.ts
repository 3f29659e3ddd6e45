/** Smaller pieces are echoes of typing, and never wait. */
const TYPING = 1_024;
const BATCH_MS = 2;

/**
 * How long to hold output back so that the small reads of a flood are batched. Echoes of typing are never delayed, however fast.
 * @param pending bytes ready to send
 * @param enough a batch of this size is sent at once
 * @param last size of the last message
 * @param sinceLast milliseconds since the last message
 * @returns milliseconds, 0 to send now
 */
export function holdFor(pending: number, enough: number, last: number, sinceLast: number): number {
  if (pending >= enough || sinceLast >= BATCH_MS) return 0;
  return last < TYPING && pending < TYPING ? 0 : BATCH_MS - sinceLast;
}
