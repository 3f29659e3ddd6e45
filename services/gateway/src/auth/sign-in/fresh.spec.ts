import { describe, expect, it } from '@jest/globals';
import type { VerifiedSignIn } from './session.opener.ts';
import { requireFresh } from './fresh.ts';

const saml = { provider: 'work', email: 'ada@work.test' } as VerifiedSignIn['saml'];
const at = (second: string) => new Date(`2026-11-28T10:00:${second}Z`);
const check = (stated: string | undefined, asked: string | undefined, toleranceS = 0) =>
  requireFresh({ saml, authTime: stated && at(stated), askedAt: asked && at(asked) } as never, toleranceS);

describe('a sign-in that was asked for', () => {
  it.each([
    ['after the question', '11', '10.700', 0],
    ['within the second of the question, from a provider that states whole seconds', '10', '10.700', 0],
    ['after the question within the same second', '10.701', '10.700', 0],
    ['before it by the accepted difference of the clocks', '10', '40.700', 30],
    ['that nobody asked for', '10', undefined, 0],
  ])('may be %s', (_what, stated, asked, tolerance) => {
    expect(() => check(stated, asked, tolerance)).not.toThrow();
  });

  it.each([
    ['before the question', '09.999', '10.000', 0],
    ['before the question within the same second, where fractions are stated', '10.699', '10.700', 0],
    ['before it by more than that', '10', '41.000', 30],
    ['without a time', undefined, '10', 300],
  ])('is refused %s', (_what, stated, asked, tolerance) => {
    expect(() => check(stated, asked, tolerance)).toThrow(expect.objectContaining({ kind: 'stale' }));
  });
});
