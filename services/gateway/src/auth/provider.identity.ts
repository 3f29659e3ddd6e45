import type { SamlIdentity } from '@warren/proto/identity/v1/identity';
import { readEmail } from '@warren/rules/emails';

/** A name that is another one at each sign-in (SAML core, 8.3.8). */
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Who a session's person is to the provider; what users are bound to. */
export interface Identity {
  provider: string;
  /** Empty where the provider has no lasting name for people besides their address: a binding is to provider and address then. */
  subject: string;
}

type Subject = Pick<SamlIdentity, 'provider' | 'nameId' | 'nameIdFormat' | 'email'>;

/** The identity that a provider signed in: its name for the person, unless that changes at each sign-in or is the address itself. */
export function identityOf({ provider, nameId, nameIdFormat, email }: Subject): Identity {
  const lasting = nameIdFormat !== TRANSIENT && readEmail(nameId) !== readEmail(email);
  return { provider, subject: lasting ? nameId : '' };
}
