import { describe, expect, it } from '@jest/globals';
import { ViewerChoice } from './viewer.choice.ts';

const said = (version: string, ...rest: number[]) =>
  Buffer.concat([Buffer.from(`RFB ${version}\n`), Buffer.from(rest)]);

describe('what a viewer chooses', () => {
  it.each([
    ['None', said('003.008', 1, 1), false],
    ['VncAuth of 3.7', said('003.007', 2), false],
    ['RSA-AES of the sign-in alone', said('003.008', 6), false],
    ["Apple's sign-in", said('003.889', 30), false],
    ['what the server says, in 3.3', said('003.003', 0), false],
    ['VeNCrypt, Plain', said('003.008', 19, 0, 2, 0, 0, 1, 0), false],
    ['VeNCrypt, with TLS', said('003.008', 19, 0, 2, 0, 0, 1, 3), true],
    ['RSA-AES', said('003.008', 5), true],
    ['RSA-AES of 256 bits', said('003.008', 129), true],
    ['a type that nobody knows', said('003.008', 77), true],
    ['nothing that is RFB', Buffer.from('GET / HTTP/1.1\r\n'), true],
  ])('%s', (_name, bytes, isEncrypted) => {
    const more = Buffer.from('what follows changes nothing');
    expect(new ViewerChoice().heard(Buffer.concat([bytes, more]))).toBe(isEncrypted);
    const choice = new ViewerChoice();
    const answers = [...bytes, ...more].map((byte) => choice.heard(Buffer.of(byte)));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(bytes[12] === 19 ? 18 : 12);
    expect(answers.slice(bytes[12] === 19 ? 18 : 12)).not.toContain(!isEncrypted);
  });
});
