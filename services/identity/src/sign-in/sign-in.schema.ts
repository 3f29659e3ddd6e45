import { invalidInput } from '@warren/platform/errors/fault';
import type { SamlIdentity } from '@warren/proto/identity/v1/identity';
import { email } from '@warren/rules/emails';
import { z } from 'zod';

/** Bounds on a provider's claims; they bound Redis, PostgreSQL and the logs too. */
const samlSchema = z.object({
  provider: z.string().min(1).max(64),
  nameId: z.string().min(1).max(1024),
  nameIdFormat: z.string().max(256),
  sessionIndex: z.string().max(512),
  email,
  name: z.string().max(200),
  nameQualifier: z.string().max(1024),
  spNameQualifier: z.string().max(1024),
});

/** Maximum length of a stored ID token; with more, logout at the provider has no hint. */
const MAX_ID_TOKEN = 4_096;

/** Returns the ID token if it is short enough to store, else an empty text. */
export function checkedIdToken(token: string): string {
  return token.length > MAX_ID_TOKEN ? '' : token;
}

/**
 * Parses a provider's identity of a person, and normalises its e-mail.
 * @throws Fault `invalid_argument` naming the invalid fields
 */
export function checkedIdentity(saml: SamlIdentity | undefined): SamlIdentity {
  const parsed = samlSchema.safeParse(saml ?? {});
  if (parsed.success && saml) return { ...saml, ...parsed.data };
  const problems = (parsed.error?.issues ?? []).map(({ path, message }) => ({ field: path.join('.'), message }));
  const [first = { field: 'saml', message: 'expected an identity.' }, ...others] = problems;
  throw invalidInput(first, ...others);
}
