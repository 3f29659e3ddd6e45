import { describe, expect, it } from '@jest/globals';
import { Socket } from 'node:net';
import { WriteBatch } from './write.batch.ts';

/** Counts the pieces of a size that are batched before they are written. */
function piecesOf(bytes: number): number {
  let written = false;
  const batch = new WriteBatch(new Socket(), () => (written = true));
  for (let pieces = 1; ; pieces++) {
    batch.begin();
    batch.add(bytes);
    batch.end(true);
    if (written) return pieces;
  }
}

describe('a batch of writes', () => {
  it('is bounded in bytes, and in pieces of any size', () => {
    expect(piecesOf(64 * 1024)).toBe(4);
    expect(piecesOf(1)).toBeLessThan(1_100);
  });
});
