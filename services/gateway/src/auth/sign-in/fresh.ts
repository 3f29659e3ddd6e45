import { SignInRefused } from '../refusal/sign-in.refused.ts';
import type { VerifiedSignIn } from './session.opener.ts';

/**
 * Requires of a person who was asked to sign in again that they did. What a session may do depends on its own time of the sign-in; this
 * tells the person at once why nothing has changed.
 * @param answer `askedAt` is when the hub asked; undefined for another sign-in
 * @param toleranceS accepted clock skew in seconds
 * @throws SignInRefused `stale` for a provider that tells an older time, or none
 */
export function requireFresh(
  { saml, authTime, askedAt }: Pick<VerifiedSignIn, 'saml' | 'authTime'> & { askedAt: Date | undefined },
  toleranceS: number,
): void {
  if (!askedAt || (authTime && secondOf(authTime) >= secondOf(askedAt) - toleranceS)) return;
  const told = authTime ? `told a sign-in at ${authTime.toISOString()}` : 'told no time of the sign-in';
  const { provider, email } = saml;
  const details = { askedAt: askedAt.toISOString(), authTime: authTime?.toISOString() };
  throw new SignInRefused(`the person was to sign in again, and the provider ${told}`, {
    provider,
    kind: 'stale',
    email,
    details,
  });
}

/** Providers tell whole seconds, so that a sign-in within the second of the question seems to be before it. */
const secondOf = (time: Date) => Math.floor(time.getTime() / 1_000);
