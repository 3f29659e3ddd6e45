import { describe, expect, it } from '@jest/globals';
import { Seal, type SealOptions } from './seal.ts';

const KEY = 'a'.repeat(32);
const OLD = 'b'.repeat(32);
const seal = (options: Partial<SealOptions> = {}) => new Seal({ keys: [KEY], acceptUnsealed: false, ...options });
const TEXT = '{"identityId":"i1","saml":{"email":"a@b.test"}}';

describe('a sealed entry', () => {
  it('is what it was, and still a JSON object with all it had', () => {
    const stored = seal().close('k', TEXT);
    expect(seal().open('k', stored)).toBe(TEXT);
    expect(JSON.parse(stored)).toMatchObject(JSON.parse(TEXT));
  });

  it.each([
    ['of another key in Redis', (stored: string) => ['other', stored]],
    ['with another text', (stored: string) => ['k', stored.replace('a@b', 'c@d')]],
    ['with another seal', (stored: string) => ['k', stored.replace(/.{5}"\}$/, 'AAAAA"}')]],
    ['without its seal', () => ['k', TEXT]],
    ['with two seals', (stored: string) => ['k', seal({ keys: [OLD] }).close('k', stored)]],
    ['by another secret', () => ['k', seal({ keys: [OLD] }).close('k', TEXT)]],
  ])('%s is none', (_what, forge) => {
    const [key = '', stored = ''] = forge(seal().close('k', TEXT));
    expect(seal().open(key, stored)).toBeNull();
  });

  it('opens with the old key while it is rotated, and without any key', () => {
    const stored = seal({ keys: [OLD] }).close('k', TEXT);
    expect(seal({ keys: [KEY, OLD] }).open('k', stored)).toBe(TEXT);
    expect(seal({ keys: [] }).open('k', stored)).toBe(TEXT);
  });

  it('may be missing when that is to be accepted, and not be wrong', () => {
    const accepting = seal({ acceptUnsealed: true });
    expect(accepting.open('k', TEXT)).toBe(TEXT);
    expect(accepting.open('k', seal({ keys: [OLD] }).close('k', TEXT))).toBeNull();
  });
});
