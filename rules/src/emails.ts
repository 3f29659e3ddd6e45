import { z } from 'zod';
import { LIMITS } from './limits.ts';

const INVALID = 'Please enter a valid email address.';
/** Something like a@b.c (spec section 5). */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMAIL_MAX = 254;

/** An e-mail address as people mean it: trimmed, lower case, so that two spellings are one person. */
export const email = z
  .string(INVALID)
  .trim()
  .toLowerCase()
  .max(EMAIL_MAX, `At most ${EMAIL_MAX} characters.`)
  .regex(EMAIL, INVALID);

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
