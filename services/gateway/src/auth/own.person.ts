import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { z } from 'zod';

/** `identity` and `sender` of older clients. The session decides who acts; these fields must agree with it. */
export const ownPersonSchema = z
  .string()
  .max(254)
  .optional()
  .describe('Your own id or e-mail, if given at all: the session decides who acts.')
  .meta({ examples: ['superadmin@warren.example'] });

/**
 * Refuses a payload that names another person than the session.
 * @param field name of the payload's field
 * @throws Fault `invalid_argument`
 */
export function requireOwnPerson(caller: Caller, field: string, claimed: string | undefined): void {
  const { userId, email } = requireUser(caller);
  if (claimed === undefined || [userId, email].includes(claimed.trim().toLowerCase())) return;
  const message = "expected your own id or e-mail; it is not the signed-in user's.";
  throw invalidInput({ field, message, value: shownValue(claimed) });
}
