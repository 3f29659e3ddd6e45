const GATHER_MS = 3;

/**
 * How long to hold output back so that small reads travel together: the echo of a lone keystroke goes at once, a flood is
 * gathered for a few milliseconds into larger messages.
 * @param pending bytes ready to go
 * @param enough bytes that need not wait for more
 * @param sinceLast milliseconds since the last message
 * @returns milliseconds, 0 to send now
 */
export function holdFor(pending: number, enough: number, sinceLast: number): number {
  if (pending >= enough || sinceLast >= GATHER_MS) return 0;
  return GATHER_MS - sinceLast;
}
