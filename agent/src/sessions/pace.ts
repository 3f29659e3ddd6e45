/** Pieces below this many bytes are what a person's typing brings back, and never wait. */
const TYPING = 1_024;
const GATHER_MS = 2;

/**
 * How long to hold output back so that the small reads of a flood travel together. Typing is never held back, however fast.
 * @param pending bytes ready to go
 * @param enough bytes that need not wait for more
 * @param last size of the last message
 * @param sinceLast milliseconds since the last message
 * @returns milliseconds, 0 to send now
 */
export function holdFor(pending: number, enough: number, last: number, sinceLast: number): number {
  if (pending >= enough || sinceLast >= GATHER_MS) return 0;
  return last < TYPING && pending < TYPING ? 0 : GATHER_MS - sinceLast;
}
