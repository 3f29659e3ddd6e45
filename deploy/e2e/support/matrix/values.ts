/** A value that may do harm, and what to call it. */
export interface Value {
  name: string;
  value: unknown;
}

const texts: Record<string, string> = {
  empty: '',
  blank: '   ',
  long: 'x'.repeat(5000),
  emoji: '👩‍🚀 🦫',
  'right to left': '\u202eevil\u202c مرحبا',
  combining: 'Z̸̡a̸l̷g̴o̵',
  'a NUL': 'a\u0000b',
  'a lone surrogate': 'a\ud800b',
  'a new line': 'a\r\nX-Header: b',
  'a quote': "O'Neil",
  'SQL that ends a statement': "'; DROP TABLE users; --",
  'SQL that is always true': "' OR '1'='1",
  'LIKE wildcards': '%_\\',
  'HTML with a script': '<script>alert(1)</script>',
  'HTML with a handler': '"><img src=x onerror=alert(1)>',
  'a template': '{{7*7}}${7*7}',
  'a path': '../../etc/passwd',
  'a formula': '=1+1',
};

/** What JSON has besides text. */
const others: Record<string, unknown> = {
  null: null,
  true: true,
  'a negative number': -1,
  'a fraction': 1.5,
  'a huge number': 1e308,
  'an empty list': [],
  'a long list': Array.from({ length: 500 }, (_, at) => `x${at}@matrix.example`),
  'a list of lists': [[['x']]],
  'an object': { $ne: null },
  'a prototype': JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": {}}}'),
};

const named = (values: Record<string, unknown>): Value[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

/** For a field of a JSON body. */
export const bodyValues: Value[] = [
  ...named(texts),
  ...named(others),
  { name: 'an enormous text', value: 'y'.repeat(90_000) },
];

/**
 * For a part of an address. `null`, `true` and the like are only text there. A path without a part is another route, and
 * a lone surrogate can't be written in a URL.
 */
export const addressValues = (where: 'path' | 'query'): Value[] =>
  named({ ...texts, 'a negative number': '-1', 'a fraction': '1.5', 'a huge number': '1e308', 'not a number': 'NaN' })
    .filter(({ name }) => name !== 'a lone surrogate')
    .filter(({ name }) => where === 'query' || !['empty', 'a path'].includes(name));

/** Invalid bodies. */
export const bodies: Record<string, string> = {
  nothing: '',
  'no JSON': '{"name": ',
  'an XML document': '<?xml version="1.0"?><a/>',
  null: 'null',
  'a list': '[]',
  'a text': '"text"',
  'a number': '7',
  'deep nesting': `${'['.repeat(45_000)}${']'.repeat(45_000)}`,
  'too much': JSON.stringify({ name: 'z'.repeat(2 * 1024 * 1024) }),
};
