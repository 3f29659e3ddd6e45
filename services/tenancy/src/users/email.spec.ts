import { describe, expect, it } from '@jest/globals';
import { emailSchema } from './email.ts';

describe('emailSchema', () => {
  it('keeps addresses in lower case', () => expect(emailSchema.parse(' Ann@Example.COM ')).toBe('ann@example.com'));
  it.each(['', 'ann', 'ann@example', '@b.c', 'a b@c.d', 'a@b.', 'a@b@c.d', `${'x'.repeat(251)}@b.c`])(
    'refuses %j',
    (text) => expect(emailSchema.safeParse(text).success).toBe(false),
  );
});
