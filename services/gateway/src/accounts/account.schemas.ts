import type { Account } from '@warren/proto/tenancy/v1/tenancy';
import { z } from 'zod';
import { statusName, statusSchema } from '../http/enums.ts';
import { idSchema, isoTime, pageFields, timeSchema, yesNo, yesNoSchema } from '../http/schemas.ts';

export const listAccountsQuery = z.object(pageFields());
export type ListAccountsQuery = z.output<typeof listAccountsQuery>;

/** An account (specification, section 3). */
export const accountSchema = z
  .object({
    _id: idSchema,
    id: idSchema,
    name: z.string(),
    created: timeSchema,
    status: statusSchema,
    owner: z
      .object({
        name: z.string(),
        email: z.string(),
        picture: z.string(),
        signup_status: yesNoSchema.describe('No: the invitation is pending.'),
      })
      .nullable()
      .describe('Null: the account has no owner.'),
    operator: z.boolean().describe('True for the account of those who run this hub.'),
  })
  .meta({ id: 'Account' });
export type AccountJson = z.output<typeof accountSchema>;

export const accountListSchema = z
  .object({ total: z.int(), accounts: z.array(accountSchema) })
  .meta({ id: 'AccountList' });

/** An account as the REST interface shows it. */
export function accountJson({ id, name, created, status, owner, operator }: Account): AccountJson {
  const { name: ownerName, email, picture, signedUp } = owner ?? {};
  const shown = { name: ownerName ?? '', email: email ?? '', picture: picture ?? '', signup_status: yesNo(!!signedUp) };
  return {
    _id: id,
    id,
    name,
    created: isoTime(created),
    status: statusName(status),
    owner: owner ? shown : null,
    operator,
  };
}
