import { expect, it } from '@jest/globals';
import { CutScan } from './scan.ts';

it.each([
  ['text', 'ls\r\n', true],
  ['the beginning of a sequence', 'ls\u001b', false],
  ['parameters of a sequence', '\u001b[1;3', false],
  ['a whole sequence', '\u001b[1;31m', true],
  ['a title', '\u001b]0;pump', false],
  ['a whole title', '\u001b]0;pump\u0007', true],
  ['a title that ends with ST', '\u001b]0;pump\u001b\\', true],
  ['a title that another sequence ends', '\u001b]0;pump\u001b[0m', true],
  ['a character set', '\u001b(', false],
  ['a whole character set', '\u001b(0', true],
  ['a whole character of 4 bytes', '🐇', true],
])('knows whether %s may be cut', (_what, text, isSafe) => {
  const scan = new CutScan();
  scan.follow(Buffer.from(text));
  expect(scan.isSafe).toBe(isSafe);
});

it('does not cut characters', () => {
  const scan = new CutScan();
  const safe = Array.from(Buffer.from('aä€🐇b'), (byte) => {
    scan.follow(Uint8Array.of(byte));
    return scan.isSafe ? 1 : 0;
  });
  expect(safe.join('')).toBe('1010010001' + '1');
});
