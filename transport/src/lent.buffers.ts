/** Size of a lent buffer: the largest read of a busy connection. */
export const LENT_BYTES = 128 * 1024;
/** Buffers lent to busy connections at the same time; further connections copy what they read. */
const MAX_LENT = 512;
/** Free buffers that are kept for reuse. */
const MAX_KEPT = 16;

const kept: Buffer[] = [];
let lent = 0;

/** Lends a read buffer; undefined when all are in use. */
export function lendBuffer(): Buffer | undefined {
  if (lent >= MAX_LENT) return undefined;
  lent++;
  return kept.pop() ?? Buffer.allocUnsafeSlow(LENT_BYTES);
}

/** @param reusable false while something may still read or write it */
export function takeBack(buffer: Buffer, reusable: boolean): void {
  lent--;
  if (reusable && kept.length < MAX_KEPT) kept.push(buffer);
}
