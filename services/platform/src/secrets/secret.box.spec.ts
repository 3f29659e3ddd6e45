import { describe, expect, it } from '@jest/globals';
import { SecretBox } from './secret.box.ts';

const OLD = 'an-old-key-of-thirty-two-characters-or-more';
const NEW = 'the-new-key-of-thirty-two-characters-or-more';

describe('SecretBox', () => {
  it('opens what it sealed, at its place only', () => {
    const box = new SecretBox([NEW]);
    const sealed = box.seal('url:1', 'https://hooks.example.com/secret');
    expect(box.open('url:1', sealed)).toBe('https://hooks.example.com/secret');
    expect(sealed.toString('latin1')).not.toContain('hooks');
    expect(() => box.open('url:2', sealed)).toThrow();
    expect(box.seal('url:1', 'https://hooks.example.com/secret').equals(sealed)).toBe(false);
  });

  it('refuses what was changed', () => {
    const box = new SecretBox([NEW]);
    for (const at of [5, 20, -1]) {
      const sealed = box.seal('url:1', 'https://hooks.example.com/secret');
      const index = at < 0 ? sealed.length + at : at;
      sealed.writeUInt8(sealed.readUInt8(index) ^ 1, index);
      expect(() => box.open('url:1', sealed)).toThrow();
    }
  });

  it('opens what a former key sealed, and knows it', () => {
    const sealed = new SecretBox([OLD]).seal('url:1', 'text');
    const rotating = new SecretBox([NEW, OLD]);
    expect(rotating.open('url:1', sealed)).toBe('text');
    expect(rotating.isOld(sealed)).toBe(true);
    expect(rotating.isOld(rotating.seal('url:1', 'text'))).toBe(false);
    expect(() => new SecretBox([NEW]).open('url:1', sealed)).toThrow('a key that is not set');
  });

  it('seals nothing without a key', () => {
    expect(new SecretBox([]).ready).toBe(false);
    expect(() => new SecretBox([]).seal('url:1', 'text')).toThrow('no key');
  });
});
