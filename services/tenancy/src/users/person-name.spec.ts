import { describe, expect, it } from '@jest/globals';
import { personName } from './person-name.ts';

describe('personName', () => {
  it('keeps one printable line', () => expect(personName(' Ann\r\n\u202eLee\u0000 ')).toBe('Ann Lee'));
  it('keeps the joiners that spell a name', () =>
    expect(personName('علی\u200cرضا 👩\u200d🚀')).toBe('علی\u200cرضا 👩\u200d🚀'));
  it('is bounded, and splits no character', () => expect(personName('😀'.repeat(300))).toBe('😀'.repeat(200)));
});
