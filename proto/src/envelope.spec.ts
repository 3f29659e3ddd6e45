import { describe, expect, it } from '@jest/globals';
import { END_STREAM, envelope, EnvelopeReader } from './envelope.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

function reader(max = 1_000) {
  const got: [number, string][] = [];
  return { got, reader: new EnvelopeReader(max, (flags, message) => got.push([flags, text(message)])) };
}

describe('envelopes of the Connect protocol', () => {
  const stream = Buffer.concat([
    envelope(0, Buffer.from('one')),
    envelope(0, new Uint8Array(0)),
    envelope(0, Buffer.alloc(300, 'x')),
    envelope(END_STREAM, Buffer.from('{}')),
  ]);
  const messages = [
    [0, 'one'],
    [0, ''],
    [0, 'x'.repeat(300)],
    [END_STREAM, '{}'],
  ];

  it('has flags and a length of four bytes, most significant first', () => {
    expect([...envelope(2, Buffer.alloc(258))].slice(0, 5)).toEqual([2, 0, 0, 1, 2]);
  });

  it('come out whole, wherever the stream was cut', () => {
    for (let size = 1; size <= stream.length; size++) {
      const { got, reader: it } = reader();
      for (let at = 0; at < stream.length; at += size) it.push(stream.subarray(at, at + size));
      expect(got).toEqual(messages);
      expect(it.whole).toBe(true);
    }
  });

  it('are not copied when they came in one piece', () => {
    let given: Uint8Array | undefined;
    new EnvelopeReader(10, (_flags, message) => (given = message)).push(stream.subarray(0, 8));
    expect(given?.buffer).toBe(stream.buffer);
  });

  it('are given up to the one at which it is stopped', () => {
    const got: string[] = [];
    const it = new EnvelopeReader(1_000, (_flags, message) => {
      got.push(text(message));
      it.stop();
    });
    let at = it.push(stream);
    expect([at, got]).toEqual([8, ['one']]);
    while (at < stream.length) at += it.push(stream.subarray(at));
    expect(got).toEqual(['one', '', 'x'.repeat(300), '{}']);
  });

  it('are not waited for when they are too long', () => {
    const { reader: it } = reader(299);
    expect(() => it.push(stream)).toThrow('a message of 300 bytes came, at most 299 were expected');
    expect(() => reader().reader.push(Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff))).toThrow('4294967295 bytes');
  });

  it('tells when the stream stops within a message', () => {
    const { reader: it } = reader();
    it.push(stream.subarray(0, 6));
    expect(it.whole).toBe(false);
  });
});
