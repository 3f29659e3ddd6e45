import { describe, expect, it } from '@jest/globals';
import { formatLabels, isLabelKey, labels, labelValue, parseLabels } from './labels.ts';

describe('isLabelKey', () => {
  it.each(['site', 'example.com/site', 'a', 'A_b-c.9', `${'a'.repeat(63)}`, `${'a'.repeat(253)}/x`])(
    'takes %s',
    (key) => {
      expect(isLabelKey(key)).toBe(true);
    },
  );

  it.each([
    '',
    '-a',
    'a-',
    'a b',
    'ä',
    '/x',
    'x/',
    'Example.com/x',
    'a..b/x',
    'a/b/c',
    'a'.repeat(64),
    `${'a'.repeat(254)}/x`,
  ])('refuses %s', (key) => {
    expect(isLabelKey(key)).toBe(false);
  });
});

describe('labels', () => {
  it('have values of the same form, or none', () => {
    expect(['', 'north', '1.2.3', 'a'.repeat(63)].every((text) => labelValue.safeParse(text).success)).toBe(true);
    expect(['-x', 'a b', 'a'.repeat(64), 'ü'].some((text) => labelValue.safeParse(text).success)).toBe(false);
  });

  it('are at most 32', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '']));
    expect(labels.safeParse(many(32)).success).toBe(true);
    expect(labels.safeParse(many(33)).error?.issues[0]?.message).toBe('expected at most 32 labels');
  });
});

describe('parseLabels', () => {
  it('reads what formatLabels writes', () => {
    const all = { site: 'north', 'example.com/ring': '', a: '1' };
    expect(parseLabels(formatLabels(all))).toEqual({ labels: all });
    expect(parseLabels(' site=south , ,site=north')).toEqual({ labels: { site: 'north' } });
    expect(parseLabels('')).toEqual({ labels: {} });
  });

  it.each([
    ['site', 'site', 'expected key=value'],
    ['=x', '=x', 'expected a key of'],
    ['a b=x', 'a b', 'expected a key of'],
    ['a=x y', 'x y', 'expected a value of'],
  ])('of %s names the part that is wrong', (text, part, message) => {
    expect(parseLabels(text)).toEqual({ part, message: expect.stringContaining(message) });
  });

  it('is no way to set a property of every object', () => {
    const parsed = parseLabels('constructor=x');
    expect(parsed).toEqual({ labels: Object.fromEntries([['constructor', 'x']]) });
  });
});
