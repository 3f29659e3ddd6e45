import { describe, expect, it } from '@jest/globals';
import { fieldOf, FILTER_FIELDS, OPERATORS_OF, type FieldName } from './fields.ts';
import type { Filter } from './filter.ts';
import { formatFilter } from './format.ts';
import { parseFilter } from './parse.ts';
import { readValue } from './values.ts';

function parsed(text: string): Filter {
  const result = parseFilter(text);
  if (!result.ok) throw new Error(`${text}: ${result.errors.map(({ message }) => message).join()}`);
  return result.filter;
}

/** What is wrong, and the part of the text that it points at. */
function wrong(text: string): [message: string, part: string] {
  const result = parseFilter(text);
  const [error] = result.ok ? [] : result.errors;
  return [error?.message ?? 'nothing', text.slice(error?.from, error?.to)];
}

const word = (text: string): Filter => ({ kind: 'word', text });

describe('parseFilter', () => {
  it('reads fields, labels and words side by side', () => {
    expect(parsed('site=north status=connected pump')).toEqual({
      kind: 'and',
      terms: [
        { kind: 'label', key: 'site', operator: '=', text: 'north' },
        { kind: 'field', field: 'status', operator: '=', text: 'connected', value: 'connected' },
        word('pump'),
      ],
    });
    expect(parsed('  ')).toEqual({ kind: 'and', terms: [] });
  });

  it('binds or weakest, and negation to one term', () => {
    expect(parsed('a b or not c and (d or e)')).toEqual({
      kind: 'or',
      terms: [
        { kind: 'and', terms: [word('a'), word('b')] },
        {
          kind: 'and',
          terms: [
            { kind: 'not', term: word('c') },
            { kind: 'or', terms: [word('d'), word('e')] },
          ],
        },
      ],
    });
    expect(parsed('-label:retired')).toEqual({ kind: 'not', term: { kind: 'labelled', key: 'retired' } });
  });

  it('reads values in quotes, with spaces around operators, and negative ones', () => {
    expect(parsed(String.raw`name ~ "say \"hi\" \\"`)).toMatchObject({ text: String.raw`say "hi" \ `.trim() });
    expect(parsed('temperature>-5')).toMatchObject({ value: -5 });
    expect(parsed('"or"')).toEqual(word('or'));
    expect(parsed('fe80::1')).toEqual(word('fe80::1'));
    expect(parsed('label.name=x')).toMatchObject({ kind: 'label', key: 'name' });
  });

  it.each([
    ['ram>=4GiB', 4 * 2 ** 30],
    ['disk_size<512MB', 512e6],
    ['uptime>2h', 7_200],
    ['last_seen>7d', { age: 604_800 }],
    ['last_seen!=Never', 'never'],
    ['created>=2026-11-24', { at: Date.UTC(2026, 10, 24) }],
    ['cpu>80.5', 80.5],
  ])('reads the value of %s', (text, value) => {
    expect(parsed(text)).toMatchObject({ value });
  });

  it.each([
    ['cpu>', 'Expected a value after “cpu>”.', '>'],
    ['cpu> (a)', 'Expected a value after “cpu>”.', '('],
    ['cpu=high', 'cpu: expected a number from 0 to 100, not “high”.', 'high'],
    ['cpu>101', 'cpu: expected a number from 0 to 100, not “101”.', '101'],
    ['status=up', 'status: expected connected or disconnected, not “up”.', 'up'],
    ['status~conn', 'status takes = !=, not ~.', 'status'],
    ['site>5', 'The label site takes = != ~ !~, not >.', 'site'],
    [
      'last_seen>soon',
      'last_seen: expected an age such as 2h or 7d, or a date such as 2026-11-24, not “soon”.',
      'soon',
    ],
    ['last_seen>never', 'last_seen takes = != with never, and < <= > >= with times, not >.', 'last_seen'],
    ['last_seen=7d', 'last_seen takes = != with never, and < <= > >= with times, not =.', 'last_seen'],
    ['ram>4', 'nothing', ''],
    ['ram>4XB', 'ram: expected a size such as 512MB or 4GiB, not “4XB”.', '4XB'],
    ['uptime>5', 'uptime: expected a time such as 90m, 2h or 7d, not “5”.', '5'],
    ['=north', 'Expected a field or a label before “=”.', '='],
    ['a or', 'Expected a term.', ''],
    ['a and or b', 'Expected a term before “or”.', 'or'],
    ['(a or b', 'This parenthesis is not closed.', '('],
    ['a) b', 'No parenthesis is open here.', ')'],
    ['name="open', 'This quote is not closed.', '"open'],
    ['-x/=1', '“x/” is neither a field nor the key of a label.', 'x/'],
    [`${'-'.repeat(9)}a`, 'Parentheses and negations nest at most 8 deep.', '-'],
    ['a '.repeat(33), 'A filter has at most 32 terms.', 'a'],
  ])('of %s says what is wrong and where', (text, message, part) => {
    if (message === 'nothing') expect(parseFilter(text).ok).toBe(true);
    else expect(wrong(text)).toEqual([message, part]);
  });

  it('refuses what no database stores', () => {
    expect(wrong('name=a\0b')).toEqual(['A filter has no NUL character.', '\0']);
  });

  it('refuses a text that is too long', () => {
    expect(wrong('x'.repeat(1_001))).toEqual(['A filter has at most 1000 characters; this one has 1001.', 'x']);
  });
});

/** A generator of numbers that gives the same ones in each run (mulberry32). */
function randomOf(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('any filter', () => {
  const random = randomOf(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const TEXTS = ['north', 'Pi 4', '-x', 'or', 'NOT', 'a"b\\', 'ü(1)', 'label:x', '', 'a=b', '!~'];
  const VALUES = {
    choice: '',
    text: '',
    version: '1.2.3',
    number: '7',
    bytes: '4GiB',
    duration: '2h',
    time: '7d',
    seen: '7d',
  };

  function randomTerm(): Filter {
    const kind = pick(['word', 'labelled', 'label', 'field'] as const);
    if (kind === 'word') return word(pick(TEXTS));
    if (kind === 'labelled') return { kind, key: pick(['site', 'example.com/ring', 'name']) };
    if (kind === 'label')
      return {
        kind,
        key: pick(['site', 'name', 'or', 'label.x']),
        operator: pick(OPERATORS_OF.label),
        text: pick(TEXTS),
      };
    const field = pick(Object.keys(FILTER_FIELDS) as FieldName[]);
    const { kind: of, values } = fieldOf(field);
    const text = of === 'text' ? pick(TEXTS) : (values?.[0] ?? VALUES[of]);
    const read = readValue(field, text);
    if ('expected' in read) throw new Error(`${field}: ${read.expected}`);
    const operator = pick(OPERATORS_OF[of === 'seen' ? 'time' : of]);
    return { kind, field, operator, text, value: read.value };
  }

  function randomFilter(depth: number): Filter {
    const kind = depth === 0 ? 'term' : pick(['term', 'not', 'and', 'or'] as const);
    if (kind === 'term') return randomTerm();
    if (kind === 'not') return { kind, term: randomFilter(depth - 1) };
    const terms = [randomFilter(depth - 1), randomFilter(depth - 1)];
    return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) };
  }

  it('is the same after it was written and read', () => {
    for (let i = 0; i < 2_000; i++) {
      const filter = randomFilter(3);
      expect(parsed(formatFilter(filter))).toEqual(filter);
    }
  });

  it('of any text is read or refused at a place in it', () => {
    const parts = ['cpu', '>', '<=', '(', ')', '"', '\\', ' ', '-', 'or', 'label:', '=', '!~', 'é', '\u0000', '7d'];
    for (let i = 0; i < 5_000; i++) {
      const text = Array.from({ length: Math.floor(random() * 12) }, () => pick(parts)).join('');
      const result = parseFilter(text);
      if (result.ok) continue;
      for (const { from, to } of result.errors) {
        expect(from).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual(text.length);
      }
    }
  });
});
