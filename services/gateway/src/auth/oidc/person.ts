import { readEmail } from '@warren/rules/emails';
import type { IDToken, UserInfoResponse } from 'openid-client';
import type { OidcProviderConfig } from '../config/oidc.config.ts';
import { foreignDomain, maySignIn } from '../config/provider.domains.ts';
import {
  NO_GROUPS,
  overage,
  readGroups,
  shownGroups,
  unavailable,
  type StatedGroups,
} from '../groups/provider.groups.ts';
import { OPENID_SUBJECT } from '../provider.identity.ts';
import { SignInRefused } from '../refusal/sign-in.refused.ts';
import type { VerifiedPerson } from '../refusal/verified.person.ts';

/** Claims that say that the person owns the e-mail address; the second one is Entra ID's. */
const VERIFIED = ['email_verified', 'xms_edov'] as const;
const MAX_NAME = 200;
const MAX_SUBJECT = 255;
const MAX_SID = 512;
const MAX_SHOWN = 50;

type Claims = Record<string, unknown>;

/** The claims of UserInfo; `unavailable` if it was asked for the groups and failed, undefined if it was not asked. */
export type UserInfoAnswer = UserInfoResponse | 'unavailable' | undefined;

const claimsIn = (answer: UserInfoAnswer) => (answer === 'unavailable' ? undefined : answer);

/** Tells whether claims answer who the person is, so that UserInfo need not be asked. */
export function isComplete(claims: Claims, { emailClaim, emailVerified }: OidcProviderConfig): boolean {
  const told = VERIFIED.some((name) => claims[name] !== undefined);
  return textOf(claims[emailClaim]) !== '' && (told || emailVerified === 'assumed');
}

/** Says whether the claims of an ID token state the groups, or refer to them, so that UserInfo need not be asked. */
export function statesGroups(claims: Claims, { groupsClaim }: OidcProviderConfig): boolean {
  return has(claims, groupsClaim) || refersToGroups(claims, groupsClaim);
}

/**
 * Reads the person from the claims of a verified ID token, and of UserInfo if the ID token is not complete. The address and the claim that
 * it is verified come from the same of the two.
 * @throws SignInRefused
 */
export function personOf(idToken: IDToken, answer: UserInfoAnswer, config: OidcProviderConfig): VerifiedPerson {
  const { id: provider } = config;
  const userInfo = isComplete(idToken, config) ? undefined : claimsIn(answer);
  const source: Claims = userInfo && textOf(userInfo[config.emailClaim]) ? userInfo : idToken;
  const details = describedClaims(idToken, answer, config);
  const refuse = (kind: 'email' | 'unverified' | 'domain' | 'unreadable', reason: string, email?: string) =>
    new SignInRefused(reason, { provider, kind, details, email });
  const { sub, iss } = idToken;
  if (sub.length > MAX_SUBJECT) throw refuse('unreadable', `sub: expected at most ${MAX_SUBJECT} characters`);
  const email = readEmail(textOf(source[config.emailClaim]));
  if (email === undefined) throw refuse('email', `e-mail: not in the claim ${config.emailClaim}`);
  const unverified = unverifiedIn(source, config);
  if (unverified) throw refuse('unverified', `e-mail: ${email}: ${unverified}`, email);
  if (!maySignIn(config, email)) throw refuse('domain', foreignDomain(email), email);
  const sid = textOf(idToken['sid']);
  return {
    provider,
    nameId: sub,
    nameIdFormat: OPENID_SUBJECT,
    sessionIndex: sid.length > MAX_SID ? '' : sid,
    email,
    name: nameOf({ ...idToken, ...userInfo }),
    nameQualifier: iss,
    spNameQualifier: '',
  };
}

/**
 * Reads the groups of the person: from the ID token, else from UserInfo. If neither has the claim, they state no groups, unless one has a
 * reference to them (OpenID Connect Core 1.0, section 5.6.2).
 */
export function groupsOf(
  idToken: IDToken,
  answer: UserInfoAnswer,
  { groupsClaim }: Pick<OidcProviderConfig, 'groupsClaim'>,
): StatedGroups {
  const userInfo = claimsIn(answer);
  const sources: Claims[] = [idToken, ...(userInfo ? [userInfo] : [])];
  for (const claims of sources) if (has(claims, groupsClaim)) return readGroups(groupsClaim, claims[groupsClaim]);
  if (sources.some((claims) => refersToGroups(claims, groupsClaim))) return overage('_claim_names');
  return answer === 'unavailable' ? unavailable(groupsClaim) : NO_GROUPS;
}

function refersToGroups(claims: Claims, groupsClaim: string): boolean {
  return has(claims['_claim_names'], groupsClaim) || claims['hasgroups'] === true;
}

function has(claims: unknown, name: string): boolean {
  return typeof claims === 'object' && claims !== null && Object.hasOwn(claims, name);
}

/** Returns why the address does not count as verified. Some providers send the claim as a text or number. */
function unverifiedIn(claims: Claims, { emailClaim, emailVerified }: OidcProviderConfig): string | undefined {
  // The claims speak for the claim `email` alone.
  if (emailClaim !== 'email') return undefined;
  const name = VERIFIED.find((one) => claims[one] !== undefined);
  if (name === undefined) return emailVerified === 'assumed' ? undefined : `${VERIFIED[0]} is missing`;
  return [true, 'true', 1, '1'].includes(claims[name] as never) ? undefined : `${name} is not true`;
}

function nameOf(claims: Claims): string {
  const parts = [claims['given_name'], claims['family_name']].map(textOf).filter(Boolean);
  return (textOf(claims['name']) || parts.join(' ')).slice(0, MAX_NAME);
}

/** Describes what came, for the log and for administrators: names of claims, and values of those that decide. */
export function describedClaims(idToken: IDToken, answer: UserInfoAnswer, config: OidcProviderConfig) {
  const { emailClaim } = config;
  const userInfo = claimsIn(answer);
  const names = (claims: object) =>
    Object.keys(claims)
      .slice(0, MAX_SHOWN)
      .map((name) => name.slice(0, 100));
  const values = (claims: Claims) =>
    Object.fromEntries(
      ['iss', 'sub', emailClaim, ...VERIFIED]
        .filter((name) => claims[name] !== undefined)
        .map((name) => [name, String(claims[name]).slice(0, 320)]),
    );
  return {
    idTokenClaims: names(idToken),
    idToken: values(idToken),
    groups: shownGroups(groupsOf(idToken, answer, config)),
    ...(userInfo ? { userInfoClaims: names(userInfo), userInfo: values(userInfo) } : {}),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
