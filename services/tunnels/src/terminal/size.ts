/** Columns and rows of a terminal. */
export interface Size {
  cols: number;
  rows: number;
}

const CELLS_MAX = 1_000;
const cells = (count = 0) => Math.min(Math.max(count, 1), CELLS_MAX);

/** Bounds a size that a device says. */
export function sizeOf(untrusted: Partial<Size> | undefined): Size {
  return { cols: cells(untrusted?.cols), rows: cells(untrusted?.rows) };
}

/**
 * Reads an offset or a count that a device says.
 * @throws Error if it is no safe integer
 */
export function countOf(untrusted: bigint): number {
  if (untrusted <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(untrusted);
  throw new Error('It sent an offset above 2^53 - 1.');
}
