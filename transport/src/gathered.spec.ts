import { describe, expect, it } from '@jest/globals';
import { Socket } from 'node:net';
import { Gathered } from './gathered.ts';

/** How many pieces of a size are gathered before they are written. */
function piecesOf(bytes: number): number {
  let written = false;
  const gathered = new Gathered(new Socket(), () => (written = true));
  for (let pieces = 1; ; pieces++) {
    gathered.begin();
    gathered.add(bytes);
    gathered.end(true);
    if (written) return pieces;
  }
}

describe('what is gathered before it is written', () => {
  it('is bounded in bytes, and in pieces however small they are', () => {
    expect(piecesOf(64 * 1024)).toBe(4);
    expect(piecesOf(1)).toBeLessThan(1_100);
  });
});
