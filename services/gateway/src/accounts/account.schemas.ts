import type { Account } from '@warren/proto/tenancy/v1/tenancy';
import { ownerEmail } from '@warren/rules/emails';
import { accountName } from '@warren/rules/names';
import { z } from 'zod';
import { ownPersonSchema } from '../auth/own.person.ts';
import { statusName, statusSchema } from '../http/enums.ts';
import { idSchema, isoTime, pageFields, timeSchema, yesNo, yesNoSchema, totalSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';
import { doneSchema } from '../http/done.ts';

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
  .meta({
    id: 'Account',
    examples: [
      {
        _id: FLEET.account.id,
        ...FLEET.account,
        created: FLEET.at,
        status: 'Active',
        owner: { name: FLEET.owner.name, email: FLEET.owner.email, picture: '', signup_status: 'Yes' },
        operator: false,
      },
    ],
  });
export type AccountJson = z.output<typeof accountSchema>;

export const accountListSchema = z
  .object({ total: totalSchema, accounts: z.array(accountSchema) })
  .meta({ id: 'AccountList' });

export const accountAnswerSchema = z.object({ result: accountSchema }).meta({ id: 'AccountAnswer' });

export const newAccountBody = z
  .object({
    name: accountName.meta({ description: 'Letters, digits and spaces.', examples: ['Meadow Farms'] }),
    identity: ownPersonSchema,
  })
  .meta({ id: 'NewAccount', examples: [{ name: FLEET.account.name, identity: 'superadmin@warren.example' }] });
export type NewAccountBody = z.output<typeof newAccountBody>;

export const accountMadeSchema = doneSchema.extend({ account: accountSchema }).meta({ id: 'AccountMade' });

export const assignOwnerBody = z
  .object({
    owner: ownerEmail.meta({ description: 'E-mail of the owner to be.', examples: ['owner@meadow.example'] }),
    account: idSchema,
    sender: ownPersonSchema,
    is_new: z
      .string()
      .max(32)
      .optional()
      .describe(
        '`new`: the account has no owner yet; refused when it has one by now. Anything else changes the owner.',
      ),
  })
  .meta({
    id: 'OwnerAssignment',
    examples: [{ owner: FLEET.owner.email, account: FLEET.account.id, is_new: 'new' }],
  });
export type AssignOwnerBody = z.output<typeof assignOwnerBody>;

export const ownerAssignedSchema = doneSchema
  .extend({
    invited: z.boolean().describe('True if no user has that e-mail: an invitation is sent.'),
  })
  .meta({ id: 'OwnerAssigned' });

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
