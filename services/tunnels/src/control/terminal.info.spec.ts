import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { TerminalInfoSchema } from '@warren/proto/agent/v1/agent';
import { terminalOf } from './terminal.info.ts';

describe("a device's name of a terminal", () => {
  it.each([
    ['joined emoji', '👩‍👩‍👧 build', '👩‍👩‍👧 build'],
    ['Persian with a joiner', 'می‌سازم', 'می‌سازم'],
    ['an override of the direction', 'a\u202eb', 'a b'],
    ['control characters', 'a\u001b[31mb\n', 'a [31mb '],
    ['more than a name may have', 'ä'.repeat(500), 'ä'.repeat(64)],
  ])('%s', (_what, name, shown) => {
    expect(terminalOf(create(TerminalInfoSchema, { name })).name).toBe(shown);
  });
});
