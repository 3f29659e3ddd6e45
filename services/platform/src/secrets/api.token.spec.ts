import { describe, expect, it } from '@jest/globals';
import { hintOf, isApiToken, newApiToken } from './api.token.ts';

describe('an API token', () => {
  it('has the prefix and the checksum that secret scanners look for', () => {
    const token = newApiToken();
    expect(token).toMatch(/^wrn_[0-9A-Za-z]{46}$/);
    expect(isApiToken(token)).toBe(true);
    expect(newApiToken()).not.toBe(token);
    expect(hintOf(token)).toBe(token.slice(0, 8));
  });

  it('has a checksum that stays the same in all versions', () => {
    expect(isApiToken(`wrn_${'0'.repeat(40)}2kaqcA`)).toBe(true);
  });

  it.each([
    ['another checksum', (token: string) => `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`],
    [
      'another character',
      (token: string) => token.replace(/^(wrn_)(.)/, (_, prefix, one) => prefix + (one === 'x' ? 'y' : 'x')),
    ],
    ['another prefix', (token: string) => token.replace('wrn_', 'ghp_')],
    ['a character more', (token: string) => `${token}0`],
    ['a line break', (token: string) => `${token}\n`],
    ['nothing', () => ''],
  ])('with %s is none', (_what, forge) => {
    expect(isApiToken(forge(newApiToken()))).toBe(false);
  });
});
