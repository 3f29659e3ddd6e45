import { describe, expect, it } from '@jest/globals';
import { serviceAccountHandle } from '@warren/rules/service-accounts';
import { readEmail } from '@warren/rules/emails';
import { maySignIn } from './provider.domains.ts';

const WORK = { domains: ['example.com', 'xn--mnchen-3ya.example'] };
const signsIn = (text: string, provider: { domains?: string[] } = WORK) => {
  const email = readEmail(text);
  return email !== undefined && maySignIn(provider, email);
};

describe('a provider with domains', () => {
  it.each(['ann@example.com', 'Ann@EXAMPLE.com', ' ann@example.com ', 'ann@xn--mnchen-3ya.example'])(
    'signs in %j',
    (email) => expect(signsIn(email)).toBe(true),
  );

  it.each([
    'ann@example.org',
    'ann@mail.example.com',
    'ann@com',
    'ann@notexample.com',
    'ann@example.com.evil.example',
    'ann@example.com.',
    'ann@example.com@evil.example',
    'ann@evil.example@example.com',
    'ann@example.com\u0000.evil.example',
    'ann@ex\u0430mple.com',
    'ann@example\u3002com',
    'ann@m\u00fcnchen.example',
    '@example.com',
    'example.com',
  ])('does not sign in %j', (email) => expect(signsIn(email)).toBe(false));
});

it('no provider signs in a service account', () => {
  const handle = serviceAccountHandle('CI runner', '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f');
  for (const provider of [{}, { domains: ['service-account.invalid'] }, WORK])
    for (const email of [handle, handle.toUpperCase()]) expect(signsIn(email, provider)).toBe(false);
  expect(signsIn('ann@anywhere.example', {})).toBe(true);
});
