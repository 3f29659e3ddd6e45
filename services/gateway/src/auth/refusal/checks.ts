import type { Protocol, RefusalKind } from './sign-in.refused.ts';

/** A check of a sign-in, for administrators. */
export interface Check {
  /** What was checked. */
  check: string;
  /** Which setting mends it. */
  mend: string;
}

type Told = { check: string } & ({ mend: string } | Record<Protocol, string>);

const CHECKS: Record<RefusalKind, Told> = {
  unreadable: {
    check: 'The answer can be read, within the limits of size and time.',
    saml: 'Have the provider send fewer groups and attributes.',
    oidc: 'See what the token endpoint and UserInfo answer; a proxy between may change it.',
  },
  unsigned: {
    check: 'The answer is signed.',
    saml: 'Have the provider sign the assertion or the response.',
    oidc: 'Have the provider sign ID tokens with RS256.',
  },
  certificate: {
    check: 'The answer is signed with a key of this provider.',
    saml: 'Put the provider’s present metadata where metadata of SAML_PROVIDERS points.',
    oidc: 'Correct issuer of OIDC_PROVIDERS; after a rotation of keys, try again in 30 s.',
  },
  altered: {
    check: 'The answer was not changed after it was signed.',
    mend: 'Look for a proxy between provider, browser and hub that rewrites it.',
  },
  algorithm: {
    check: 'Signature and encryption use accepted algorithms.',
    saml: 'Set RSA-SHA256 and AES with RSA-OAEP at the provider.',
    oidc: 'Set RS256 or ES256 for ID tokens at the provider.',
  },
  time: {
    check: 'The answer is neither too old nor from the future.',
    saml: 'Run NTP on both sides, or raise SAML_CLOCK_TOLERANCE.',
    oidc: 'Run NTP on both sides, or raise OIDC_CLOCK_TOLERANCE; maxAge of OIDC_PROVIDERS bounds the age of the last password.',
  },
  address: {
    check: 'The answer is for this hub, and from the expected issuer.',
    saml: 'Correct the entity ID and the ACS URL at the provider, or HUB_URL.',
    oidc: 'Correct issuer and clientId of OIDC_PROVIDERS.',
  },
  request: {
    check: 'The answer belongs to a sign-in that began here, in this browser, and was not used.',
    mend: 'Start at the hub. Cookies must be allowed; a sign-in may take 10 minutes at the provider.',
  },
  email: {
    check: 'The provider told an e-mail address.',
    saml: 'Have the provider send it, or name its attribute as emailAttribute of SAML_PROVIDERS.',
    oidc: 'Have the provider send it, or name its claim as emailClaim of OIDC_PROVIDERS.',
  },
  unverified: {
    check: 'The provider says that the person owns the e-mail address.',
    mend: 'Verify the address at the provider. If administrators alone set addresses there: emailVerified of OIDC_PROVIDERS.',
  },
  domain: {
    check: 'The provider may sign in people of the e-mail domain.',
    saml: 'Add the domain to domains of this provider in SAML_PROVIDERS, if its people belong there.',
    oidc: 'Add the domain to domains of this provider in OIDC_PROVIDERS, if its people belong there.',
  },
  client: {
    check: 'The provider accepts the hub’s own credentials.',
    mend: 'Correct clientId and the file of clientSecretFile of OIDC_PROVIDERS.',
  },
  unreachable: {
    check: 'The provider answers the hub, within 5 s and 256 KiB.',
    mend: 'Repair the network between gateways and provider; the doctor checks it.',
  },
  identity: {
    check: 'The user is bound to this identity.',
    mend: 'If the address is still theirs: Reset sign-in in the users directory.',
  },
  stale: {
    check: 'The person signed in again when the hub asked for that.',
    saml: 'Have the provider ask again for ForceAuthn, and send the time of the sign-in as AuthnInstant.',
    oidc: 'Have the provider ask again for prompt=login and max_age=0, and send auth_time.',
  },
  status: {
    check: 'The provider signed the person in.',
    mend: 'See its message and its log: is the person assigned to the application?',
  },
  other: {
    check: 'The answer is from a provider of this hub.',
    mend: 'Compare the names in what was received with the settings of the provider.',
  },
};

/** Returns the check that a refusal failed. Unknown kinds, of other versions, count as other. */
export function checkOf(kind: string, protocol: Protocol): Check {
  const told = CHECKS[kind as RefusalKind] ?? CHECKS.other;
  return { check: told.check, mend: 'mend' in told ? told.mend : told[protocol] };
}
