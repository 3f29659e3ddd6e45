import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { LogLineSchema, LogPageSchema } from '@warren/proto/agent/v1/agent';
import { cleanLine, cleanPage, visible } from './clean.ts';

describe('the words of a journal', () => {
  it.each([
    ['plain ä漢🦊\n\tindented', 'plain ä漢🦊\n\tindented'],
    ['<b>text</b>', '<b>text</b>'],
    ['\u001b[1;31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007', '␛]0;title␇'],
    ['a\u0000b\u007fc\u0085', 'a␀b␡c\\u{85}'],
    ['\u202egnp.exe\u2066', '\\u{202e}gnp.exe\\u{2066}'],
    ['one\r\ntwo\rthree', 'one\ntwo␍three'],
    ['a\u2028b', 'a\\u{2028}b'],
    ['می\u200cخواهم 👩\u200d🔧', 'می\u200cخواهم 👩\u200d🔧'],
    ['\ud800', '\ufffd'],
  ])('%j is shown as %j', (given, expected) => expect(visible(given)).toBe(expected));

  it('are bounded, and so is all that comes with them', () => {
    const line = create(LogLineSchema, {
      cursor: 's=1;i=2',
      time: 2n ** 64n - 1n,
      priority: 99,
      unit: 'u'.repeat(1000),
      identifier: 'two\nlines',
      pid: 2 ** 31,
      message: 'x'.repeat(20_000),
      cut: 5n,
    });
    const [clean] = cleanLine(line);
    expect(clean).toEqual({
      cursor: 's=1;i=2',
      time: '1970-01-01T00:00:00.000Z',
      priority: 6,
      unit: 'u'.repeat(256),
      identifier: 'two lines',
      pid: 0,
      message: 'x'.repeat(16_384),
      cut: 5 + 20_000 - 16_384,
    });
    const page = create(LogPageSchema, {
      lines: [line, { cursor: '--file=/etc/shadow' }],
      older: 'no',
      notice: 'a\nb',
    });
    expect(cleanPage(page)).toEqual({ lines: [clean], older: '', reached: null, notice: 'a b' });
  });
});
