import type { Profile } from '@node-saml/node-saml';
import { readEmail } from '@warren/rules/emails';

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

/** Describes the attributes received, for the log: all names, and values of those that could hold an e-mail. */
export function describedAttributes(profile: Profile) {
  const attributes = (profile['attributes'] ?? {}) as Record<string, unknown>;
  const names = Object.keys(attributes).slice(0, MAX_DESCRIBED);
  const values = [...EMAIL_ATTRIBUTES, ...ACCOUNT_ATTRIBUTES]
    .map((name) => [name, attributeOf(profile, [name]).slice(0, 320)] as const)
    .filter(([, value]) => value);
  return {
    attributes: names.map((name) => name.slice(0, 200)),
    emailAttributes: Object.fromEntries(values),
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
