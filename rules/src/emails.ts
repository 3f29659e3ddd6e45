import { z } from 'zod';
import { LIMITS } from './limits.ts';

const INVALID = 'Please enter a valid email address.';
/** RFC 5321, section 4.5.3.1: octets of the part before the @, and of a path without its brackets. */
const LOCAL_MAX = 64;
const EMAIL_MAX = 254;

/** Before the @: no spaces, controls, lone surrogates or invisible characters. */
const LOCAL = /^[^@\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+$/u;
/** After the @: labels of ASCII with dots between them, two at least (RFC 1035; RFC 5890 for `xn--`). */
const DOMAIN = /^(?=.{3,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** In UTF-8, of text without lone surrogates. */
const octets = (text: string) => encodeURIComponent(text).replace(/%../g, 'x').length;

/** Two addresses must never become one by folding, so only what compatibility folding (NFKC) leaves alone is accepted. */
function isFolded(text: string): boolean {
  const lower = text.toLowerCase();
  return text.normalize('NFKC') === text && lower.normalize('NFKC') === lower && lower.length === text.length;
}

/** The domain of an address, in lower case. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** The domain of e-mail addresses: ASCII, international ones as `xn--` labels; lower case. */
export const emailDomain = z.string().trim().regex(DOMAIN).toLowerCase();

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  return LOCAL.test(local) && octets(local) <= LOCAL_MAX && isFolded(local) && DOMAIN.test(text.slice(at + 1));
}

/**
 * An e-mail address of the form a@b.c (spec section 5), as people mean it: trimmed and in lower case, so that two spellings are one person.
 * The only reading of addresses in the product: forms, requests, sign-ins and settings compare what this returns.
 */
export const email = z
  .string(INVALID)
  .trim()
  .max(EMAIL_MAX, `At most ${EMAIL_MAX} characters.`)
  .refine(isAddress, INVALID)
  .toLowerCase();

/** Reads an address as {@link email} does. Returns undefined for a text that is no address, which equals no other. */
export function readEmail(text: string): string | undefined {
  return email.safeParse(text).data;
}

const EXPECTED = 'expected an e-mail address, such as ann@example.com';

/** {@link email} in a setting or a file, whose problems read `expected …`. */
export const emailSetting = z.string(EXPECTED).transform((text, context) => {
  const address = readEmail(text);
  if (address !== undefined) return address;
  context.addIssue({ code: 'custom', message: EXPECTED });
  return z.NEVER;
});

/** The e-mail of an account's owner. */
export const ownerEmail = z
  .string('The owner email is required')
  .trim()
  .min(1, 'The owner email is required')
  .pipe(email);

/** Whom an invitation goes to: 1 to 10 addresses, each once. */
export const inviteEmails = z
  .array(email)
  .min(1, 'At least one email address is needed.')
  .max(LIMITS.inviteEmails, 'Reduce the number of email addresses to no more than 10.')
  .refine((list) => new Set(list).size === list.length, 'Each email address only once.');
