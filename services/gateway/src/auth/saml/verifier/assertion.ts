import type { Profile } from '@node-saml/node-saml';
import { z } from 'zod';
import { foreignDomain, maySignIn } from '../../config/provider.domains.ts';
import type { VerifiedPerson } from '../../refusal/verified.person.ts';
import { describedAttributes, emailOf, groupsOf, nameOf } from './attributes.ts';
import { SignInRefused, type RefusalKind } from '../../refusal/sign-in.refused.ts';
import type { HubFacts, Trusted, VerifiedAnswer } from './tasks.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** The expected values of an assertion. */
export type Expected = Pick<HubFacts, 'acsUrl' | 'clockToleranceMs'> & { provider: Trusted };

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
    AuthnStatement: z.array(attributes).default([]),
  }),
});

type ConfirmationData = Record<string, string>;

/**
 * Checks what node-saml doesn't, on the signed assertion alone: issuer, recipient, request and expiry (SAML profiles 2.0,
 * section 4.1.4.3).
 * @param profile node-saml's result for an answer whose signature, audience and times it has verified
 * @throws SignInRefused
 */
export function verifiedAnswer(profile: Profile, expected: Expected, now = Date.now()): VerifiedAnswer {
  const { entityId } = expected.provider;
  if (profile.issuer !== entityId) throw new SignInRefused(`issuer: expected ${entityId}`);
  const parsed = assertionSchema.safeParse(profile.getAssertion?.());
  if (!parsed.success) {
    throw new SignInRefused(`assertion: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
  }
  const { $, Conditions, Subject, AuthnStatement } = parsed.data.Assertion;
  const bearers = Subject[0].SubjectConfirmation.filter((one) => one.$['Method'] === BEARER);
  const data = bearers.flatMap((one) => one.SubjectConfirmationData).map((one) => one.$);
  const inResponseTo = profile['inResponseTo'] as string | undefined;
  const confirmation = confirmed(data, inResponseTo, expected, now);
  const expires = Math.max(Date.parse(Conditions[0].$.NotOnOrAfter), Date.parse(confirmation['NotOnOrAfter'] ?? ''));
  return {
    saml: identityOf(profile, expected.provider),
    groups: groupsOf(profile, expected.provider.groupsAttribute),
    assertionId: $.ID,
    assertionExpires: new Date(expires + expected.clockToleranceMs),
    inResponseTo: confirmation['InResponseTo'] ?? '',
    authTime: authTimeOf(AuthnStatement.map((one) => one.$['AuthnInstant'] ?? '')),
  };
}

/** The earliest time of what an assertion states about sign-ins (SAML core 2.0, section 2.7.2); undefined if it states none. */
function authTimeOf(instants: readonly string[]): Date | undefined {
  const times = instants.map((text) => Date.parse(text)).filter((time) => !Number.isNaN(time));
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** Finds the bearer confirmation for this hub, request and time. The refusal names which of the three doesn't match. */
function confirmed(
  data: readonly ConfirmationData[],
  inResponseTo: string | undefined,
  { acsUrl, clockToleranceMs }: Expected,
  now: number,
): ConfirmationData {
  const refuse = (kind: RefusalKind, reason: string, details: Record<string, unknown>) =>
    new SignInRefused(`subject confirmation: ${reason}`, { kind, details });
  const here = data.filter(({ Recipient }) => Recipient === acsUrl);
  if (here.length === 0) {
    const receivedRecipients = data.map(({ Recipient }) => Recipient ?? '').slice(0, 10);
    throw refuse('address', `no bearer for the recipient ${acsUrl}`, { expectedRecipient: acsUrl, receivedRecipients });
  }
  const asked = here.filter(({ InResponseTo }) => InResponseTo !== undefined && InResponseTo === inResponseTo);
  if (asked.length === 0) throw refuse('request', 'InResponseTo is not that of the response', { inResponseTo });
  const [timely] = asked.filter(
    ({ NotBefore, NotOnOrAfter = '' }) =>
      Date.parse(NotOnOrAfter) + clockToleranceMs > now &&
      (NotBefore === undefined || Date.parse(NotBefore) - clockToleranceMs <= now),
  );
  if (!timely) throw refuse('time', 'expired, or not yet valid', { confirmations: asked.slice(0, 10) });
  return timely;
}

function identityOf(
  profile: Profile,
  { id: provider, domains, emailAttribute, groupsAttribute }: Trusted,
): VerifiedPerson {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const nameId = text(profile.nameID);
  if (!nameId) throw new SignInRefused('subject: no NameID');
  const email = emailOf(profile, emailAttribute);
  const details = describedAttributes(profile, groupsAttribute);
  if (!email) {
    const where = emailAttribute
      ? `not in the attribute ${JSON.stringify(emailAttribute)}`
      : 'neither as an attribute nor as NameID';
    throw new SignInRefused(`e-mail: ${where}`, { kind: 'email', details });
  }
  if (!maySignIn({ domains: domains && [...domains] }, email)) {
    throw new SignInRefused(foreignDomain(email), { kind: 'domain', details, email });
  }
  return {
    provider,
    nameId,
    nameIdFormat: text(profile.nameIDFormat),
    sessionIndex: text(profile.sessionIndex),
    email,
    name: nameOf(profile),
    nameQualifier: text(profile.nameQualifier),
    spNameQualifier: text(profile.spNameQualifier),
  };
}
