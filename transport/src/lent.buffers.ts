/** Bytes of a lent buffer: what a read of a busy connection takes at most. */
export const LENT_BYTES = 128 * 1024;
/** Buffers that busy connections hold at the same time; the others copy what they read. */
const MAX_LENT = 512;
/** Buffers that are kept for the next one. */
const MAX_KEPT = 16;

const kept: Buffer[] = [];
let lent = 0;

/** Memory to read into; undefined when all of it is lent. */
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
