import { expect, it } from '@jest/globals';
import { scimGroupName } from './scim.group.name.ts';

it.each([
  [' Field  team ', 'Field team'],
  ['Field\u00a0\u2003team', 'Field team'],
  ['1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName', '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName'],
  ['SG_Vertrieb (Süd) & Küche', 'SG_Vertrieb (Süd) & Küche'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
])('%j is a name of a group', (text, name) => {
  expect(scimGroupName.parse(text)).toBe(name);
});

it.each([
  ['   ', 'expected a name.'],
  ['a\nb', 'expected visible characters on one line.'],
  ['a\u202eb', 'expected visible characters on one line.'],
  ['\u200d', 'expected visible characters on one line.'],
  ['Admins\u200d', 'expected visible characters on one line.'],
  ['a\u2028b', 'expected visible characters on one line.'],
  ['x'.repeat(65), 'expected at most 64 characters.'],
])('%j is none', (text, message) => {
  expect(scimGroupName.safeParse(text).error?.issues[0]?.message).toBe(message);
});
