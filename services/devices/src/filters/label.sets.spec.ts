import { describe, expect, it } from '@jest/globals';
import { parseFilter } from '@warren/rules/filter/parse';
import type { Filter } from '@warren/rules/filter/filter';
import { mergeAlternatives } from './label.sets.ts';

function merged(...texts: string[]) {
  const terms = texts.map((text): Filter => {
    const parsed = parseFilter(text);
    if (!parsed.ok) throw new Error(text);
    return parsed.filter;
  });
  return mergeAlternatives(terms).map((factors) =>
    factors.map((factor) => {
      if (factor.kind === 'label_set') return `${factor.key} in ${factor.texts.join()}`;
      return 'text' in factor ? factor.text : factor.kind;
    }),
  );
}

describe('alternatives', () => {
  it('are merged where they differ in the value of one label', () => {
    expect(merged('site=a', 'site=b', 'site=a')).toEqual([['site in a,b']]);
    expect(merged('os~deb site=a', 'site=b os~deb', 'os~x site=c')).toEqual([
      ['site in a,b', 'deb'],
      ['site in c', 'x'],
    ]);
    expect(merged('(site=a or site=b) ', 'site=c')).toEqual([['site in a,b,c']]);
  });

  it('are merged by one label after the other', () => {
    const all = ['a', 'b', 'c'].flatMap((site) => ['x', 'y'].map((ring) => `site=${site} ring=${ring}`));
    expect(merged(...all)).toEqual([['ring in x,y', 'site in a,b,c']]);
    expect(merged(...all.slice(1))).toEqual([
      ['ring in y', 'site in a,b,c'],
      ['ring in x', 'site in b,c'],
    ]);
  });

  it('stay apart where two values of a label have to hold, and where one must not', () => {
    expect(merged('site=a site=b', 'site=c', 'site!=d')).toEqual([['site in c'], ['a', 'b'], ['d']]);
    expect(merged('site~a', 'label:site')).toEqual([['a'], ['labelled']]);
  });

  it('are one that always holds if any does', () => {
    expect(merged('site=a', '')).toEqual([[]]);
  });
});
