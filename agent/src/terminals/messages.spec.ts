import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { TerminalOutputSchema } from '@warren/proto/agent/v1/agent';
import { EnvelopeReader } from '@warren/proto/envelope';
import { dataHead } from './messages.ts';

describe('the head of an output message', () => {
  it.each([
    [0, 1],
    [127, 127],
    [128, 128],
    [2 ** 31, 65_536],
    [Number.MAX_SAFE_INTEGER, 3],
  ])('makes a whole message with its bytes: %d, %d bytes', (offset, length) => {
    const data = Buffer.alloc(length, 'x');
    const messages: Uint8Array[] = [];
    const reader = new EnvelopeReader(1 << 20, (flags, message) => {
      expect(flags).toBe(0);
      messages.push(message);
    });
    reader.push(Buffer.concat([dataHead(offset, length), data]));
    expect(reader.whole).toBe(true);
    const { kind } = fromBinary(TerminalOutputSchema, messages[0] ?? new Uint8Array(0));
    if (kind.case !== 'data') throw new Error(`expected data, not ${kind.case}`);
    expect(kind.value.offset).toBe(BigInt(offset));
    expect(Buffer.from(kind.value.data).equals(data)).toBe(true);
  });
});
