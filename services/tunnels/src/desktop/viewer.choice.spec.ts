import { describe, expect, it } from '@jest/globals';
import { ViewerChoice } from './viewer.choice.ts';

const said = (version: string, ...rest: number[]) =>
  Buffer.concat([Buffer.from(`RFB ${version}\n`), Buffer.from(rest)]);
const vencrypt = (...rest: number[]) => said('003.008', 19, ...rest);
const tight = (...rest: number[]) => said('003.008', 16, ...rest);

describe('what a viewer chooses', () => {
  it.each([
    ['None', said('003.008', 1), false],
    ['VncAuth of 3.7', said('003.007', 2), false],
    ['RSA-AES of the sign-in alone', said('003.008', 6), false],
    ["Apple's sign-in", said('003.889', 30), false],
    ['what the server says, in 3.3', said('003.003', 0), false],
    ['VeNCrypt, Plain', vencrypt(0, 2, 0, 0, 1, 0), false],
    ['VeNCrypt, VncAuth', vencrypt(0, 2, 0, 0, 0, 2), false],
    ['VeNCrypt, with TLS', vencrypt(0, 2, 0, 0, 1, 3), true],
    ['VeNCrypt, RSA-AES', vencrypt(0, 2, 0, 0, 0, 5), true],
    ['VeNCrypt in VeNCrypt', vencrypt(0, 2, 0, 0, 0, 19), true],
    ['VeNCrypt of another version', vencrypt(0, 1), true],
    ['Tight, VncAuth', tight(0, 0, 0, 2), false],
    ['Tight without a tunnel, None', tight(0, 0, 0, 0, 0, 0, 0, 1), false],
    ['Tight that asks for nothing', tight(1, 0, 0, 0), false],
    ['Tight that asks for nothing, not shared', tight(0, 0, 0, 0, 0, 32, 24, 0), false],
    ['Tight, VeNCrypt', tight(0, 0, 0, 19), true],
    ['Tight without a tunnel, VeNCrypt', tight(0, 0, 0, 0, 0, 0, 0, 19), true],
    ['RSA-AES', said('003.008', 5), true],
    ['RSA-AES of 256 bits', said('003.008', 129), true],
    ['a type that nobody knows', said('003.008', 77), true],
    ['the protocol of RealVNC 5', said('005.000', 1), true],
    ['nothing that is RFB', Buffer.from('GET / HTTP/1\x01'), true],
  ])('%s', (_name, bytes, isEncrypted) => {
    const more = Buffer.from('what follows changes nothing');
    expect(new ViewerChoice().heard(Buffer.concat([bytes, more]))).toBe(isEncrypted);
    const choice = new ViewerChoice();
    const answers = [...bytes, ...more].map((byte) => choice.heard(Buffer.of(byte)));
    const known = bytes.length - 1;
    expect(answers.slice(0, known).every((answer) => answer === undefined)).toBe(true);
    expect(answers.slice(known).every((answer) => answer === isEncrypted)).toBe(true);
  });
});
