import { SignInRefused } from '../refusal/sign-in.refused.ts';
import type { VerifiedSignIn } from './session.opener.ts';

/**
 * Requires of a person who was asked to sign in again that they did. What a session may do depends on its own time of the sign-in; this
 * tells the person at once why nothing has changed.
 * @param answer `askedAt` is when the hub asked; undefined for another sign-in
 * @param toleranceS accepted clock skew in seconds
 * @throws SignInRefused `stale` for a provider that states an older time, or none
 */
export function requireFresh(
  { saml, authTime, askedAt }: Pick<VerifiedSignIn, 'saml' | 'authTime'> & { askedAt: Date | undefined },
  toleranceS: number,
): void {
  if (!askedAt || (authTime && authTime.getTime() >= comparable(askedAt, authTime) - toleranceS * 1_000)) return;
  const stated = authTime ? `stated a sign-in at ${authTime.toISOString()}` : 'stated no time of the sign-in';
  const { provider, email } = saml;
  const details = { askedAt: askedAt.toISOString(), authTime: authTime?.toISOString() };
  throw new SignInRefused(`the person was to sign in again, and the provider ${stated}`, {
    provider,
    kind: 'stale',
    email,
    details,
  });
}

/** Of a provider that states whole seconds, a sign-in within the second of the question seems to be before it. */
function comparable(askedAt: Date, authTime: Date): number {
  const ms = askedAt.getTime();
  return authTime.getMilliseconds() === 0 ? ms - (ms % 1_000) : ms;
}
