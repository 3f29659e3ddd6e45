import { describe, expect, it } from '@jest/globals';
import { slugOf } from './slug.ts';

describe('slugOf', () => {
  it.each([
    ['raspberrypi', /^raspberrypi-[a-z2-9]{6}$/],
    ['Büro Pi.local', /^buro-pi-local-[a-z2-9]{6}$/],
    ['--x--', /^x-[a-z2-9]{6}$/],
    ['xn--pi', /^xn-pi-[a-z2-9]{6}$/],
    ['名前', /^device-[a-z2-9]{6}$/],
    ['a'.repeat(253), /^a{40}-[a-z2-9]{6}$/],
    [`${'a'.repeat(39)}-b`, /^a{39}-[a-z2-9]{6}$/],
  ])('makes a DNS label of %s', (name, expected) => expect(slugOf(name)).toMatch(expected));

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 50 }, () => slugOf('pi'))).size).toBe(50);
  });
});
