import { describe, expect, it } from '@jest/globals';
import { customName } from './devices.ts';
import { personName } from './people.ts';

describe('a name that people give', () => {
  it.each([
    ['an emoji of several', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} gate'],
    ['an emoji with a colour of skin', '\u{1f469}\u{1f3fd}\u200d\u{1f33e} field'],
    ['an emoji with its presentation', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['Sinhala', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ])('may be %s', (_what, name) => {
    expect(customName.parse(name)).toBe(name);
    expect(personName.parse(name)).toBe(name);
  });

  it.each([
    ['a joiner alone', '\u200d'],
    ['a joiner between letters that it does not join', 'ad\u200dmin'],
    ['joiners in a row', '\u0645\u200c\u200c\u062e'],
    ['a direction turned round', 'a\u202eb'],
    ['an isolated direction', 'a\u2066b\u2069'],
    ['a mark of direction', 'a\u200fb'],
    ['no width', 'a\u200bb'],
    ['a control character', 'a\u0007b'],
    ['a line separator', 'a\u2028b'],
    ['half a pair', 'a\ud800b'],
  ])('has not %s', (_what, name) => {
    expect(customName.safeParse(name).success).toBe(false);
    expect(personName.safeParse(name).success).toBe(false);
  });
});
