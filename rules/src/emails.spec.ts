import { describe, expect, it } from '@jest/globals';
import { email, emailDomain, readEmail } from './emails.ts';

const message = (text: unknown) => email.safeParse(text).error?.issues[0]?.message;
const INVALID = 'Please enter a valid email address.';

/** All code points of the planes that have letters or marks; the others hold nothing, or what people agree on. */
function* assigned(): Generator<number> {
  for (const [first, last] of [
    [0, 0x3_ffff],
    [0xe_0000, 0xe_0fff],
  ] as const)
    for (let code = first; code <= last; code++) yield code;
}

describe('an e-mail address', () => {
  it.each([
    [' Ann@Example.COM ', 'ann@example.com'],
    ['josé@example.com', 'josé@example.com'],
    ["o'brien+tag@mail.example.co.uk", "o'brien+tag@mail.example.co.uk"],
    ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
    [`${'x'.repeat(64)}@b.c`, `${'x'.repeat(64)}@b.c`],
  ])('%j is read as %j', (text, read) => expect(email.parse(text)).toBe(read));

  it.each([
    ['a look-alike by compatibility (Kelvin sign)', 'mar\u212a@example.com'],
    ['a full-width letter', 'm\uff41rk@example.com'],
    ['a long s', 'bo\u017fs@example.com'],
    ['a ligature', 'o\ufb03ce@example.com'],
    ['a dotted capital I', '\u0130van@example.com'],
    ['a decomposed accent', 'jose\u0301@example.com'],
    ['a NUL', 'a\0b@example.com'],
    ['a line break', 'a\nb@example.com'],
    ['a C1 control', 'a\u0085b@example.com'],
    ['half a surrogate pair', 'a\ud800b@example.com'],
    ['a joiner', 'a\u200db@example.com'],
    ['a soft hyphen', 'a\u00adb@example.com'],
    ['a variation selector', 'a\ufe0fb@example.com'],
    ['a direction', 'a\u202eb@example.com'],
    ['a space', 'a b@example.com'],
    ['a domain that is not ASCII', 'ann@b\u00fccher.example'],
    ['a Kelvin sign in the domain', 'ann@mar\u212a.example'],
    ['a full stop of another script', 'ann@example\u3002com'],
    ['a NUL in the domain', 'ann@exam\0ple.com'],
    ['a domain of one label', 'ann@example'],
    ['an empty label', 'ann@example..com'],
    ['a dash at an end', 'ann@-example.com'],
    ['a label of 64', `ann@${'x'.repeat(64)}.com`],
    ['two signs', 'ann@b@example.com'],
    ['nobody', '@example.com'],
    ['no sign', 'ann'],
    ['nothing', ''],
    ['more than 64 octets before the sign', `${'é'.repeat(33)}@b.c`],
  ])('has not %s', (_what, text) => {
    expect(message(text)).toBe(INVALID);
    expect(readEmail(text)).toBeUndefined();
  });

  it('is bounded', () => expect(message(`${'x'.repeat(251)}@b.c`)).toBe('At most 254 characters.'));

  it('is one of as many as differ: no two addresses that are accepted become one by folding', () => {
    const seen = new Map<string, string>();
    const clashes: string[][] = [];
    for (const code of assigned()) {
      const text = `${String.fromCodePoint(code)}@b.c`;
      const read = readEmail(text);
      if (read === undefined || text.trim() !== text) continue;
      const folded = read.normalize('NFKC').toLowerCase();
      const other = seen.get(folded) ?? text;
      // A letter and its capital are one address, and nothing else is.
      if (folded !== read || other.toLowerCase() !== text.toLowerCase()) clashes.push([other, text]);
      seen.set(folded, text);
    }
    expect(clashes).toEqual([]);
    expect(seen.size).toBeGreaterThan(1_000);
  });
});

describe('a domain of addresses', () => {
  it('is ASCII in lower case', () => {
    expect(emailDomain.parse(' Example.COM ')).toBe('example.com');
    for (const text of ['example', '@example.com', '*.example.com', 'b\u00fccher.example', ''])
      expect(emailDomain.safeParse(text).success).toBe(false);
  });
});
