import { describe, expect, it } from '@jest/globals';
import { UnstoredBytes } from './unstored.bytes.ts';

/** Pseudo-random numbers, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const all = (bytes: UnstoredBytes, from: number): Buffer => {
  const pieces: Buffer[] = [];
  for (let at = from; at < bytes.end;) {
    const piece = bytes.piece(at);
    pieces.push(Buffer.from(piece));
    at += piece.length;
  }
  return Buffer.concat(pieces);
};

describe('unstored bytes', () => {
  it.each([1, 2, 3, 4, 5])('are those that were added, from any offset that is kept (seed %d)', (seed) => {
    const random = numbers(seed);
    const bytes = new UnstoredBytes();
    let whole = Buffer.alloc(0);
    for (let round = 0; round < 60; round++) {
      const piece = Buffer.from(Array.from({ length: 16 }, () => random(256)));
      const added = Buffer.alloc(random(2) === 0 ? random(300) : random(150_000), piece);
      // What is added is copied: its memory is used again at once.
      bytes.add(added);
      whole = Buffer.concat([whole, added]);
      added.fill(0);
      if (random(3) === 0) bytes.drop(bytes.start + random(bytes.length + 1));
      expect(bytes.end).toBe(whole.length);
      const from = bytes.start + random(bytes.length + 1);
      expect(all(bytes, from).equals(whole.subarray(from))).toBe(true);
    }
    expect(() => bytes.piece(bytes.start - 1)).toThrow(RangeError);
    expect(() => bytes.piece(bytes.end + 1)).toThrow(RangeError);
  });

  it('are dropped up to their end at most, and continue at their offset after all were', () => {
    const bytes = new UnstoredBytes();
    bytes.add(Buffer.from('one'));
    bytes.drop(1_000_000);
    expect([bytes.start, bytes.end, bytes.length]).toEqual([3, 3, 0]);
    bytes.add(Buffer.from('two'));
    expect(all(bytes, 3).toString()).toBe('two');
    bytes.clear();
    bytes.add(Buffer.from('three'));
    expect(all(bytes, 6).toString()).toBe('three');
  });

  it('take whole blocks of memory', () => {
    const bytes = new UnstoredBytes();
    expect(bytes.memory).toBe(65_536);
    bytes.add(Buffer.alloc(65_537));
    expect(bytes.memory).toBe(2 * 65_536);
    bytes.drop(65_536);
    expect(bytes.memory).toBe(65_536);
  });
});
