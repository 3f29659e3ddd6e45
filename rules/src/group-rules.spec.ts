import { describe, expect, it } from '@jest/globals';
import { GROUP_RULE_LIMITS, providerGroup } from './group-rules.ts';

describe('a group of a provider', () => {
  it.each([
    [' eng ', 'eng'],
    ['/parent/Müller & Söhne', '/parent/Müller & Söhne'],
    ['cn=Ops,ou=Groups,dc=example,dc=com', 'cn=Ops,ou=Groups,dc=example,dc=com'],
    ['x'.repeat(GROUP_RULE_LIMITS.value), 'x'.repeat(GROUP_RULE_LIMITS.value)],
  ])('is %j', (text, value) => expect(providerGroup.parse(text)).toBe(value));

  it.each(['', '  ', 'a\u0000b', 'a\nb', 'x'.repeat(GROUP_RULE_LIMITS.value + 1), 7, null, ['eng']])(
    'is not %j',
    (text) => expect(providerGroup.safeParse(text).error?.issues[0]?.message).toMatch(/1 to 256 characters/),
  );
});
