import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Collected, FRAME, PIECE, type Piece } from './collected.ts';

/** Brings bytes as a stream of HTTP/2 does: into the memory that was given behind the piece before. */
function bring(collected: Collected, memory: Buffer, bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at += FRAME) {
    const length = bytes.copy(memory, 0, at, at + FRAME);
    collected.read(length, memory);
    memory = collected.room();
  }
  return memory;
}

function takeAll(collected: Collected): Piece[] {
  const pieces = [];
  for (let piece = collected.take(); piece; piece = collected.take()) pieces.push(piece);
  return pieces;
}

const bytesOf = (pieces: Piece[]) => Buffer.concat(pieces.map(({ bytes }) => bytes));

describe('what a stream has brought', () => {
  it('is given in its order, whatever is small, large, taken in between or still being sent', () => {
    const collected = new Collected();
    const sent = randomBytes(1 << 20);
    const got: Buffer[] = [];
    let memory = collected.room();
    let sending: Piece | undefined;
    for (let at = 0, step = 1; at < sent.length; step = (step * 7) % 99_991) {
      memory = bring(collected, memory, sent.subarray(at, at + step));
      at += step;
      if (step % 3 === 0) continue;
      // Copied when it has been sent: until then nothing may be written to it.
      if (sending) got.push(Buffer.from(sending.bytes));
      sending?.sent(true);
      sending = collected.take();
    }
    if (sending) got.push(Buffer.from(sending.bytes));
    const rest = bytesOf(takeAll(collected));
    expect(Buffer.concat([...got, rest]).equals(sent)).toBe(true);
    expect(collected.length).toBe(0);
  });

  it('splits buffered bytes into pieces that fit a message', () => {
    const collected = new Collected();
    const sent = randomBytes(8 * FRAME);
    bring(collected, collected.room(), sent);
    const pieces = takeAll(collected);
    expect(pieces.map(({ bytes }) => bytes.length)).toEqual([PIECE, PIECE, sent.length - 2 * PIECE]);
    expect(bytesOf(pieces).equals(sent)).toBe(true);
    for (const piece of pieces) piece.sent(true);
    collected.discard();
  });

  it('never lies in memory that another one writes to', () => {
    const one = new Collected();
    const other = new Collected();
    const sent = randomBytes(8 * FRAME);
    bring(one, one.room(), sent);
    const pieces = takeAll(one);
    one.discard();
    bring(other, other.room(), Buffer.alloc(64 * FRAME));
    expect(bytesOf(pieces).equals(sent)).toBe(true);
    for (const piece of pieces) piece.sent(false);
    other.discard();
  });

  it('is put into the same memory again and again', () => {
    const collected = new Collected();
    const seen = new Set<ArrayBufferLike>();
    let memory = collected.room();
    for (let count = 0; count < 100; count++) {
      memory = bring(collected, memory, Buffer.alloc(4 * FRAME));
      for (const { bytes, sent } of takeAll(collected)) {
        seen.add(bytes.buffer);
        sent(true);
      }
    }
    expect(seen.size).toBeLessThan(4);
    collected.discard();
  });

  it('needs no extra memory once little comes', () => {
    const collected = new Collected();
    const common = collected.room();
    let memory = bring(collected, common, Buffer.alloc(4 * FRAME));
    for (let count = 0; count < 20; count++) {
      for (const { sent } of takeAll(collected)) sent(true);
      memory = bring(collected, memory, Buffer.from('key'));
    }
    for (const { sent } of takeAll(collected)) sent(true);
    expect(collected.room()).toBe(common);
  });
});
