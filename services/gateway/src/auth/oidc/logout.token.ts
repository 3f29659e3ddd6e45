import { jwtVerify } from 'jose';
import { z } from 'zod';
import { SignInRefused } from '../refusal/sign-in.refused.ts';
import { ALGORITHMS } from './algorithms.ts';
import type { OidcProvider } from './oidc.provider.ts';
import { refusalOf } from './refusals.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Longest logout token. */
const MAX_LENGTH = 16 * 1024;
/** Maximum age of a logout token, seconds; an older one may be a replay. */
const MAX_AGE_S = 300;

const claimsSchema = z.object({
  jti: z.string().min(1).max(512),
  iat: z.number(),
  exp: z.number(),
  events: z.object({ [EVENT]: z.looseObject({}) }),
  sub: z.string().min(1).max(255).optional(),
  sid: z.string().min(1).max(512).optional(),
  nonce: z.undefined('expected none').optional(),
});

/** Whose sessions a provider ended. */
export interface EndedSubject {
  provider: string;
  /** The claim `sub`; empty if the token names a session alone. */
  nameId: string;
  /** The claim `sid`; empty for all sessions of the subject. */
  sessionIndex: string;
  /** Identifies the token. */
  tokenId: string;
  expires: Date;
}

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 * @param toleranceS accepted clock skew, seconds
 * @throws SignInRefused
 */
export async function verifyLogoutToken(
  provider: OidcProvider,
  token: string,
  toleranceS: number,
): Promise<EndedSubject> {
  const { id, clientId } = provider.config;
  const refuse = (reason: string) => new SignInRefused(`logout token: ${reason}`, { provider: id, kind: 'unreadable' });
  if (token.length > MAX_LENGTH) throw refuse(`expected at most ${MAX_LENGTH} characters`);
  const { metadata, keys } = provider.discovered;
  const options = { issuer: metadata.issuer, audience: clientId, algorithms: ALGORITHMS, clockTolerance: toleranceS };
  const { payload, protectedHeader } = await jwtVerify(token, keys, { ...options, maxTokenAge: MAX_AGE_S }).catch(
    (error: unknown) => {
      throw refusalOf(error, id);
    },
  );
  // Explicit typing keeps ID tokens apart, which have no event either; older providers leave it out.
  const { typ } = protectedHeader;
  if (typ !== undefined && !/^(application\/)?(logout\+jwt|jwt)$/i.test(typ))
    throw refuse('expected the type logout+jwt');
  const parsed = claimsSchema.safeParse(payload);
  if (!parsed.success)
    throw refuse(`expected ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')} to fit`);
  const { sub = '', sid = '', jti, exp } = parsed.data;
  if (!sub && !sid) throw refuse('expected sub or sid');
  return {
    provider: id,
    nameId: sub,
    sessionIndex: sid,
    tokenId: jti,
    expires: new Date((exp + toleranceS) * 1_000),
  };
}
