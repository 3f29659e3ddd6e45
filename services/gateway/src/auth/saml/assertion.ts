import { create } from '@bufbuild/protobuf';
import type { Profile } from '@node-saml/passport-saml';
import { SamlIdentitySchema, type SamlIdentity } from '@warren/proto/identity/v1/identity';
import { z } from 'zod';
import { SignInRefused } from './sign-in.refused.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
/** What providers call a person's e-mail: plain, LDAP's mail, and the WS-Federation claim of Microsoft's. */
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const NAME_ATTRIBUTES = [
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'cn',
  'urn:oid:2.5.4.3',
  'name',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
];
const MAX_NAME = 200;

/** A verified assertion, reduced to what the hub goes by. */
export interface VerifiedSignIn {
  saml: SamlIdentity;
  assertionId: string;
  assertionExpires: Date;
}

/** What an assertion must agree with. */
export interface Expected {
  provider: string;
  entityId: string;
  acsUrl: string;
  /** E-mail domains that the provider may speak for; all when not given. */
  domains: readonly string[] | undefined;
  clockSkewMs: number;
}

const attributes = z.object({ $: z.record(z.string(), z.string()).default({}) });
/** The verified assertion as node-saml parses it (xml2js). */
const assertionSchema = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1) }),
    Conditions: z.tuple([z.object({ $: z.object({ NotOnOrAfter: z.iso.datetime({ offset: true }) }) })]),
    Subject: z.tuple([
      z.object({
        SubjectConfirmation: z.array(attributes.extend({ SubjectConfirmationData: z.array(attributes).default([]) })),
      }),
    ]),
  }),
});

/**
 * Checks what node-saml leaves to its user, on the signed assertion alone: issuer, recipient, the request it answers, and
 * expiry (SAML profiles 2.0, section 4.1.4.3).
 * @param profile what node-saml made of an answer whose signature, audience, times and InResponseTo it has verified
 * @throws SignInRefused
 */
export function verifiedSignIn(profile: Profile, expected: Expected, now = Date.now()): VerifiedSignIn {
  const { provider, entityId } = expected;
  const refuse = (reason: string) => new SignInRefused(reason, { provider });
  if (profile.issuer !== entityId) throw refuse(`issuer: expected ${entityId}`);
  const parsed = assertionSchema.safeParse(profile.getAssertion?.());
  if (!parsed.success) throw refuse(`assertion: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
  const { $, Conditions, Subject } = parsed.data.Assertion;
  const bearers = Subject[0].SubjectConfirmation.filter((one) => one.$['Method'] === BEARER);
  const [confirmation] = bearers
    .flatMap((one) => one.SubjectConfirmationData)
    .filter((data) => {
      const { Recipient, InResponseTo, NotOnOrAfter = '' } = data.$;
      const fits =
        Recipient === expected.acsUrl && InResponseTo !== undefined && InResponseTo === profile['inResponseTo'];
      return fits && Date.parse(NotOnOrAfter) + expected.clockSkewMs > now;
    });
  if (!confirmation) throw refuse('subject confirmation: no bearer for this recipient and request');
  const expires = Math.max(Date.parse(Conditions[0].$.NotOnOrAfter), Date.parse(confirmation.$['NotOnOrAfter'] ?? ''));
  return {
    saml: identityOf(profile, expected),
    assertionId: $.ID,
    assertionExpires: new Date(expires + expected.clockSkewMs),
  };
}

function identityOf(profile: Profile, { provider, domains }: Expected): SamlIdentity {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const nameId = text(profile.nameID);
  if (!nameId) throw new SignInRefused('subject: no NameID', { provider });
  const email = emailOf(profile);
  if (!email) throw new SignInRefused('e-mail: none among the attributes, nor as NameID', { provider });
  if (domains && !domains.includes(email.slice(email.lastIndexOf('@') + 1))) {
    throw new SignInRefused(`e-mail: ${email} is of none of the provider's domains`, { provider });
  }
  return create(SamlIdentitySchema, {
    provider,
    nameId,
    nameIdFormat: text(profile.nameIDFormat),
    sessionIndex: text(profile.sessionIndex),
    email,
    name: attributeOf(profile, NAME_ATTRIBUTES).slice(0, MAX_NAME),
    nameQualifier: text(profile.nameQualifier),
    spNameQualifier: text(profile.spNameQualifier),
  });
}

function emailOf(profile: Profile): string {
  const named = profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : '';
  const email = z
    .email()
    .max(320)
    .safeParse((attributeOf(profile, EMAIL_ATTRIBUTES) || named).toLowerCase());
  return email.success ? email.data : '';
}

/** The first value of the first attribute that has one. */
function attributeOf(profile: Profile, names: string[]): string {
  const values = (profile['attributes'] ?? {}) as Record<string, unknown>;
  for (const name of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string' && first.trim()) return first.trim();
  }
  return '';
}
