import { describe, expect, it } from '@jest/globals';
import { binaryCodec, shortTextCodec, TextCodec, unfinished } from './codec.ts';

const TEXT = 'aé世🦊 z';

describe('text output', () => {
  it('is the same wherever it is cut', () => {
    const bytes = Buffer.from(TEXT);
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const codec = new TextCodec();
        const cuts = [0, first, second, bytes.length];
        let text = '';
        for (let index = 0; index < 3; index++) {
          const [from = 0, to = 0] = [cuts[index], cuts[index + 1]];
          const message = codec.encode(bytes.subarray(from, to), from);
          if (message) expect(Buffer.byteLength(text)).toBe(message.offset);
          text += message?.output ?? '';
        }
        expect(text).toBe(TEXT);
        expect(codec.flush()).toBeUndefined();
      }
    }
  });

  it('shows what is no UTF-8 as U+FFFD and continues', () => {
    const codec = new TextCodec();
    expect(codec.encode(Uint8Array.of(0x61, 0xff, 0x62), 0)?.output).toBe('a\ufffdb');
    expect(codec.encode(Uint8Array.of(0x80, 0xc0, 0x63), 3)?.output).toBe('\ufffd\ufffdc');
  });

  it('keeps a byte order mark', () => {
    expect(new TextCodec().encode(Buffer.from('\ufeffx'), 0)?.output).toBe('\ufeffx');
  });

  it('gives up half a character when the bytes after it are missing, or at the end', () => {
    const codec = new TextCodec();
    expect(codec.encode(Uint8Array.of(0xe4, 0xb8), 10)).toBeUndefined();
    expect(codec.encode(Buffer.from('new'), 50)).toEqual({ output: 'new', offset: 50 });
    expect(codec.encode(Uint8Array.of(0xf0), 53)).toBeUndefined();
    expect(codec.flush()).toEqual({ output: '\ufffd', offset: 53 });
  });

  it('holds back only what can become a character', () => {
    expect(unfinished(Uint8Array.of(0xf0, 0x9f, 0xa6))).toBe(3);
    expect(unfinished(Uint8Array.of(0xe4, 0xb8, 0x96))).toBe(0);
    expect(unfinished(Uint8Array.of(0xc0))).toBe(0);
    expect(unfinished(Uint8Array.of(0xf8))).toBe(0);
    expect(unfinished(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toBe(0);
    expect(unfinished(new Uint8Array(0))).toBe(0);
  });
});

describe('binary output', () => {
  it('is what came', () => {
    const bytes = Uint8Array.of(0xff, 0x80);
    expect(binaryCodec.encode(bytes, 7)).toEqual({ output: bytes, offset: 7 });
  });
});

describe('short output', () => {
  const sent = (bytes: Uint8Array) => shortTextCodec.encode(bytes, 7);

  it('is text where it is text, and the bytes can be had back from it', () => {
    for (const text of ['x', '\x1b[1;31mä漢🦊\r\n', '\ufeffmark', '\0']) {
      expect(sent(Buffer.from(text))).toEqual({ output: text, offset: 7 });
    }
  });

  it('stays bytes where it is cut within a character, is no text, or is long', () => {
    for (const bytes of [Buffer.from('漢').subarray(0, 2), Buffer.of(0x61, 0xff), Buffer.alloc(513, 'x')]) {
      expect(sent(bytes)).toEqual({ output: bytes, offset: 7 });
    }
  });
});
