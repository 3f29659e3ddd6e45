import { z } from 'zod';
import { emailDomain } from './emails.ts';

/** Bounds of the e-mail domains of an account. */
export const DOMAIN_LIMITS = { perAccount: 20, secondsBetweenChecks: 10 } as const;

const LABEL = '_warren-challenge';
const EXPECTED = 'expected the domain of e-mail addresses, such as example.com';

/** RFC 1035, section 2.3.4: octets of a name in text form. */
const NAME_MAX = 253;

/** The host name of the TXT record that proves a domain; an underscored label (RFC 8552) leaves the domain's other records alone. */
export const recordName = (domain: string): string => `${LABEL}.${domain}`;

/** The text of that record. */
export const recordText = (token: string): string => `warren-domain=${token}`;

/** Nobody owns `invalid` (RFC 6761, section 6.4), where the hub's own handles are. */
function isClaimable(text: string): boolean {
  const { data } = emailDomain.safeParse(text);
  return data !== undefined && !data.endsWith('.invalid') && recordName(data).length <= NAME_MAX;
}

/** A domain that an account claims: lower case, international ones as `xn--` labels, without a dot at the end. */
export const claimedDomain = z.string(EXPECTED).refine(isClaimable, EXPECTED).pipe(emailDomain);
