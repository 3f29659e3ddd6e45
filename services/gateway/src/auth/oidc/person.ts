import { readEmail } from '@warren/rules/emails';
import type { IDToken, UserInfoResponse } from 'openid-client';
import type { OidcProviderConfig } from '../config/oidc.config.ts';
import { foreignDomain, maySignIn } from '../config/provider.domains.ts';
import { NO_GROUPS, overage, readGroups, shownGroups, type StatedGroups } from '../groups/provider.groups.ts';
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

/** Tells whether claims answer who the person is, so that UserInfo need not be asked. */
export function isComplete(claims: Claims, { emailClaim, emailVerified }: OidcProviderConfig): boolean {
  const told = VERIFIED.some((name) => claims[name] !== undefined);
  return textOf(claims[emailClaim]) !== '' && (told || emailVerified === 'assumed');
}

/**
 * Reads the person from the claims of a verified ID token, and of UserInfo if it was asked. The address and the claim that it is verified
 * come from the same of the two.
 * @throws SignInRefused
 */
export function personOf(
  idToken: IDToken,
  userInfo: UserInfoResponse | undefined,
  config: OidcProviderConfig,
): VerifiedPerson {
  const { id: provider } = config;
  const source: Claims = userInfo && textOf(userInfo[config.emailClaim]) ? userInfo : idToken;
  const details = describedClaims(idToken, userInfo, config);
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
 * Reads the groups of the person: from the ID token, else from UserInfo if it was asked. An answer without the claim states no groups, unless
 * it has a reference to them (OpenID Connect Core 1.0, section 5.6.2).
 */
export function groupsOf(
  idToken: IDToken,
  userInfo: UserInfoResponse | undefined,
  { groupsClaim }: OidcProviderConfig,
): StatedGroups {
  const sources: Claims[] = [idToken, ...(userInfo ? [userInfo] : [])];
  for (const claims of sources) if (has(claims, groupsClaim)) return readGroups(groupsClaim, claims[groupsClaim]);
  const referring = sources.some((claims) => has(claims['_claim_names'], groupsClaim) || claims['hasgroups'] === true);
  return referring ? overage('_claim_names') : NO_GROUPS;
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
export function describedClaims(idToken: IDToken, userInfo: UserInfoResponse | undefined, config: OidcProviderConfig) {
  const { emailClaim } = config;
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
    groups: shownGroups(groupsOf(idToken, userInfo, config)),
    ...(userInfo ? { userInfoClaims: names(userInfo), userInfo: values(userInfo) } : {}),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
