import { describe, expect, it } from '@jest/globals';
import { expandFilter, savedKeysOf } from './expand.ts';
import type { ReferringFilter } from './filter.ts';
import { formatFilter } from './format.ts';
import { parseFilter, parseReferring } from './parse.ts';
import { isSavedKey, savedKeyOf } from './saved.key.ts';

function parsed(text: string): ReferringFilter {
  const result = parseReferring(text);
  if (!result.ok) throw new Error(`${text}: ${result.errors.map(({ message }) => message).join()}`);
  return result.filter;
}

const SAVED: Record<string, string> = {
  north: 'site=north or site=arctic',
  pumps: 'name~pump -label:retired',
  nested: 'in:north cpu>80',
  every: ' ',
  long: Array.from({ length: 20 }, (_, index) => `a${index}=x`).join(' or '),
};
const textOf = (key: string) => SAVED[key];

/** The text with saved filters expanded, or what is wrong with it. */
function expanded(text: string): string {
  const result = expandFilter(parsed(text), textOf);
  return result.ok ? result.text : result.message;
}

describe('a saved filter in another one', () => {
  it('is a term by its key, in any case, that is written as it is read', () => {
    expect(parsed('in:North -in:pumps')).toEqual({
      kind: 'and',
      terms: [
        { kind: 'saved', key: 'north' },
        { kind: 'not', term: { kind: 'saved', key: 'pumps' } },
      ],
    });
    expect(formatFilter(parsed('in:north or -(in:pumps x)'))).toBe('in:north or -(in:pumps x)');
    expect(savedKeysOf(parsed('in:north or -(in:pumps in:north x=y)'))).toEqual(['north', 'pumps']);
  });

  it('is text in quotes, and stays text', () => {
    expect(parsed('"in:north"')).toEqual({ kind: 'word', text: 'in:north' });
    expect(formatFilter(parsed('"in:north"'))).toBe('"in:north"');
    expect(parsed('name=in:north')).toMatchObject({ kind: 'field', text: 'in:north' });
  });

  it('is refused where none can be named, and without a key', () => {
    expect(parseFilter('x in:north')).toMatchObject({
      errors: [{ message: expect.stringContaining('can’t be used here'), from: 2, to: 10 }],
    });
    for (const text of ['in:', 'in:-a', 'in:a--b', 'in:a_b', `in:${'a'.repeat(49)}`])
      expect(parseReferring(text)).toMatchObject({
        errors: [{ message: expect.stringContaining('Expected the key') }],
      });
  });

  it('is expanded with the parentheses that its terms need', () => {
    expect(expanded('in:north cpu>80')).toBe('(site=north or site=arctic) cpu>80');
    expect(expanded('-in:pumps')).toBe('-(name~pump -label:retired)');
    expect(expanded('in:north or x')).toBe('site=north or site=arctic or x');
    expect(expanded('x=y')).toBe('x=y');
  });

  it('is refused if it is not there, is empty, or names others itself', () => {
    expect(expanded('-in:gone')).toBe('The account has no shared view “gone”.');
    expect(expanded('in:every')).toBe('The view “every” is empty, so no filter can use it.');
    expect(expanded('in:nested')).toBe('The view “nested” uses other views, so no filter can use it.');
  });

  it('counts within the limits of a filter with all that it stands for', () => {
    expect(expanded('in:long')).toContain('a19=x');
    expect(expanded('in:long -in:long')).toContain('A filter has at most 32 terms');
  });
});

describe('the key of a saved filter', () => {
  it('is made of its name, and of a number if it is taken', () => {
    expect(savedKeyOf('Hot in the North!')).toBe('hot-in-the-north');
    expect(savedKeyOf('Hot in the North!', 2)).toBe('hot-in-the-north-2');
    expect(savedKeyOf('Süd & Ödland')).toBe('süd-ödland');
    expect(savedKeyOf('…')).toBe('filter');
  });

  it('can be named, whatever the name', () => {
    for (const name of ['-', 'a'.repeat(64), `${'a'.repeat(47)} b`, 'İstanbul', 'A/B (c) "d" =', 'ǅ', 'ﬁne'])
      for (const place of [1, 2, 10, 100]) {
        const key = savedKeyOf(name, place);
        expect([name, isSavedKey(key)]).toEqual([name, true]);
        expect(parsed(`in:${key}`)).toEqual({ kind: 'saved', key });
      }
  });
});
