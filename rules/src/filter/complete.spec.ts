import { describe, expect, it } from '@jest/globals';
import { completeFilter } from './complete.ts';
import { parseFilter } from './parse.ts';

const KNOWN = {
  labels: { site: ['north', 'north east', 'south'], status: ['x'] },
  fields: { model: ['Raspberry Pi 4', 'Raspberry Pi 5'] },
  saved: [
    { key: 'hot', name: 'Hot' },
    { key: 'north', name: 'Far north' },
  ],
};

/** The texts after each completion is put in at `|`. */
function completed(text: string): string[] {
  const caret = text.indexOf('|');
  const plain = text.replace('|', '');
  return completeFilter(plain, caret, KNOWN).map(
    (completion) => plain.slice(0, completion.from) + completion.text + plain.slice(completion.to),
  );
}

describe('completeFilter', () => {
  it('proposes fields and labels where a term begins', () => {
    expect(completed('sta|')).toEqual(['status']);
    expect(completed('cpu>5 si|')).toEqual(['cpu>5 site']);
    expect(completed('(-si| x')).toEqual(['(-site x']);
    expect(completed('label.s|')).toEqual(['label.status']);
  });

  it('proposes values after an operator, in quotes where they need them', () => {
    expect(completed('site=|')).toEqual(['site=north', 'site="north east"', 'site=south']);
    expect(completed('site=no| cpu>5')).toEqual(['site=north cpu>5', 'site="north east" cpu>5']);
    expect(completed('status=dis|')).toEqual(['status=disconnected']);
    expect(completed('model~"pi 5|')).toEqual(['model~"Raspberry Pi 5"']);
    expect(completed('label.status=|')).toEqual(['label.status=x']);
  });

  it('proposes or and not after a term alone', () => {
    expect(completed('site=north o|')).toContain('site=north or');
    expect(completed('o|')).not.toContain('or');
    expect(completed('cpu>5|')).toEqual([]);
  });

  it('proposes saved filters by key and by name', () => {
    expect(completed('|')).toEqual(expect.arrayContaining(['in:hot', 'in:north', 'status']));
    expect(completed('-in:|')).toEqual(['-in:hot', '-in:north']);
    expect(completed('cpu>5 far|')).toEqual(['cpu>5 in:north']);
    expect(completed('in:hot|')).toEqual([]);
  });

  it('proposes only what can be read', () => {
    for (const text of completed('site=|')) expect(parseFilter(text).ok).toBe(true);
  });
});
