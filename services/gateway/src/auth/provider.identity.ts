import type { SamlIdentity } from '@warren/proto/identity/v1/identity';
import { readEmail } from '@warren/rules/emails';

/** The format of a name that changes with each sign-in (SAML core, 8.3.8). */
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
/** Marks a name as the claim `sub` of an issuer (OpenID Connect Core 1.0, section 5.7). */
export const OPENID_SUBJECT = 'openid:sub';

/** A person's identity at the provider, which users are bound to. */
export interface Identity {
  provider: string;
  /** Empty if the provider has no lasting name besides the e-mail address; users are then bound to provider and address. */
  subject: string;
}

type Subject = Pick<SamlIdentity, 'provider' | 'nameId' | 'nameIdFormat' | 'email' | 'nameQualifier'>;

/**
 * Reads the identity from a sign-in: issuer and `sub` together, which nobody else ever gets; or the NameID, unless it changes with each
 * sign-in or is the address.
 */
export function identityOf({ provider, nameId, nameIdFormat, email, nameQualifier }: Subject): Identity {
  if (nameIdFormat === OPENID_SUBJECT) return { provider, subject: `${nameQualifier} ${nameId}` };
  const lasting = nameIdFormat !== TRANSIENT && readEmail(nameId) !== readEmail(email);
  return { provider, subject: lasting ? nameId : '' };
}
