import { describe, expect, it } from '@jest/globals';
import { ReplayRing } from './ring.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('ReplayRing', () => {
  it('returns bytes by their offset', () => {
    const ring = new ReplayRing(16);
    ring.append(Buffer.from('hello '));
    ring.append(Buffer.from('world'));
    expect([ring.start, ring.end]).toEqual([0, 11]);
    expect(text(ring.read(0, 100))).toBe('hello world');
    expect(text(ring.read(6, 3))).toBe('wor');
    expect(ring.read(11, 5)).toHaveLength(0);
  });

  it('keeps the last bytes, around its end', () => {
    const ring = new ReplayRing(8, 8);
    for (const piece of ['abc', 'defg', 'hij', 'k']) ring.append(Buffer.from(piece));
    expect([ring.start, ring.end]).toEqual([3, 11]);
    expect(text(ring.read(3, 100))).toBe('defghijk');
    expect(text(ring.read(9, 1))).toBe('j');
  });

  it('accepts a piece longer than itself', () => {
    const ring = new ReplayRing(4, 4);
    ring.append(Buffer.from('xy'));
    ring.append(Buffer.from('0123456789'));
    expect([ring.start, ring.end]).toEqual([8, 12]);
    expect(text(ring.read(8, 9))).toBe('6789');
  });

  it('equals an endless buffer for any pieces and growth', () => {
    const ring = new ReplayRing(1024, 16);
    let all = Buffer.alloc(0);
    for (let i = 0; i < 400; i++) {
      const piece = Buffer.from(Array.from({ length: (i * 7) % 61 }, (_, j) => (i + j) % 251));
      ring.append(piece);
      all = Buffer.concat([all, piece]);
      expect(ring.end).toBe(all.length);
      expect(ring.start).toBe(Math.max(0, all.length - 1024));
      expect(Buffer.from(ring.read(ring.start, 4096)).equals(all.subarray(ring.start))).toBe(true);
    }
  });

  it('refuses an offset that it does not have', () => {
    const ring = new ReplayRing(4, 4);
    ring.append(Buffer.from('123456'));
    expect(() => ring.read(1, 1)).toThrow('offset 1 is outside 2 to 6');
    expect(() => ring.read(7, 1)).toThrow('offset 7 is outside 2 to 6');
  });
});
