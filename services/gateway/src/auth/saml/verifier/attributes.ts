import type { Profile } from '@node-saml/node-saml';
import { readEmail } from '@warren/rules/emails';
import { NO_GROUPS, overage, readGroups, shownGroups, type StatedGroups } from '../../groups/provider.groups.ts';

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const UNSPECIFIED_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';

/** Common names of the e-mail attribute, in lower case: plain, of LDAP, of PKCS #9, and Microsoft's WS-Federation claim. */
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'User.email',
  'urn:oid:1.2.840.113549.1.9.1',
];
/** Attributes with account names, which often are e-mail addresses; used if no other attribute has one. */
const ACCOUNT_ATTRIBUTES = ['upn', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn'];
const NAME_ATTRIBUTES = [
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'cn',
  'urn:oid:2.5.4.3',
  'name',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
];
/** Common names of the attribute with groups: plain, Microsoft's of Entra ID and of AD FS, and of LDAP and eduMember. */
const GROUP_ATTRIBUTES = [
  'groups',
  'group',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  'http://schemas.xmlsoap.org/claims/Group',
  'memberOf',
  'isMemberOf',
  'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
];
/** What Entra ID sends in place of more than 150 groups. */
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
const MAX_NAME = 200;
const MAX_DESCRIBED = 50;

/**
 * Returns a person's e-mail address in lower case; empty without one.
 * @param attribute name of its attribute; defaults to the common ones
 */
export function emailOf(profile: Profile, attribute?: string): string {
  const { nameID, nameIDFormat } = profile;
  const named = (...formats: (string | undefined)[]) => (formats.includes(nameIDFormat) ? nameID : '');
  const candidates = attribute
    ? [attributeOf(profile, [attribute])]
    : [
        attributeOf(profile, EMAIL_ATTRIBUTES) || named(EMAIL_FORMAT),
        attributeOf(profile, ACCOUNT_ATTRIBUTES),
        named(UNSPECIFIED_FORMAT, undefined),
      ];
  for (const candidate of candidates) {
    const email = readEmail(candidate);
    if (email !== undefined) return email;
  }
  return '';
}

export function nameOf(profile: Profile): string {
  return attributeOf(profile, NAME_ATTRIBUTES).slice(0, MAX_NAME);
}

/**
 * Reads the groups of a person. An assertion without the attribute states no groups, unless it has a reference to them.
 * @param attribute name of their attribute; defaults to the common ones
 */
export function groupsOf(profile: Profile, attribute?: string): StatedGroups {
  const all = Object.entries((profile['attributes'] ?? {}) as Record<string, unknown>);
  const find = (name: string) => all.find(([key]) => key.toLowerCase() === name.toLowerCase());
  for (const name of attribute ? [attribute] : GROUP_ATTRIBUTES) {
    const [key, value] = find(name) ?? [];
    if (key !== undefined) return readGroups(key, value);
  }
  return find(GROUPS_LINK) ? overage(GROUPS_LINK) : NO_GROUPS;
}

/** Describes the attributes received, for the log: all names, values of those that could hold an e-mail, and groups. */
export function describedAttributes(profile: Profile, groupsAttribute?: string) {
  const attributes = (profile['attributes'] ?? {}) as Record<string, unknown>;
  const names = Object.keys(attributes).slice(0, MAX_DESCRIBED);
  const values = [...EMAIL_ATTRIBUTES, ...ACCOUNT_ATTRIBUTES]
    .map((name) => [name, attributeOf(profile, [name]).slice(0, 320)] as const)
    .filter(([, value]) => value);
  return {
    attributes: names.map((name) => name.slice(0, 200)),
    emailAttributes: Object.fromEntries(values),
    groups: shownGroups(groupsOf(profile, groupsAttribute)),
    nameId: profile.nameID.slice(0, 320),
    nameIdFormat: profile.nameIDFormat?.slice(0, 200),
  };
}

/** Returns the first value of the first attribute that has one. */
function attributeOf(profile: Profile, names: readonly string[]): string {
  const values = Object.entries((profile['attributes'] ?? {}) as Record<string, unknown>);
  for (const name of names) {
    for (const [, value] of values.filter(([key]) => key.toLowerCase() === name.toLowerCase())) {
      const first: unknown = Array.isArray(value) ? value[0] : value;
      if (typeof first === 'string' && first.trim()) return first.trim();
    }
  }
  return '';
}
