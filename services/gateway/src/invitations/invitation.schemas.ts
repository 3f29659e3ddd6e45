import { Delivery, type Invitation, type LookUpInvitationResponse } from '@warren/proto/tenancy/v1/invitations';
import { email, inviteEmails } from '@warren/rules/emails';
import { inviteGroups } from '@warren/rules/groups';
import { LIMITS } from '@warren/rules/limits';
import { personName } from '@warren/rules/people';
import { z } from 'zod';
import { ownPersonSchema } from '../auth/own.person.ts';
import { roleName, roleSchema } from '../http/enums.ts';
import {
  accountFilterSchema,
  groupFilterSchema,
  idSchema,
  isoTime,
  pageFields,
  timeSchema,
  totalSchema,
} from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';
import { doneSchema } from '../http/done.ts';

const deliverySchema = z
  .enum(['Queued', 'Sent', 'Failing'])
  .describe('How far the mail is. Failing: the mail server did not take it, and it is tried again.');

const DELIVERIES: Record<Delivery, z.output<typeof deliverySchema>> = {
  [Delivery.UNSPECIFIED]: 'Queued',
  [Delivery.QUEUED]: 'Queued',
  [Delivery.SENT]: 'Sent',
  [Delivery.FAILING]: 'Failing',
};

const JOINED_ELSEWHERE = 'This person joined another account.';

const invitationPage = pageFields(LIMITS.pageSize.invitations);

export const listInvitationsQuery = z.object({
  ...invitationPage,
  account: accountFilterSchema,
  group: groupFilterSchema,
});
export type ListInvitationsQuery = z.output<typeof listInvitationsQuery>;

/** A pending invitation (specification, section 3). */
const invitationSchema = z
  .object({
    _id: idSchema,
    id: idSchema,
    user: z.string().describe('The e-mail that is invited.'),
    invitedAt: timeSchema,
    expires: timeSchema.describe('When its link stops working.'),
    account: z.object({ id: idSchema, name: z.string() }),
    group: z.object({ id: idSchema, name: z.string(), role: roleSchema }),
    delivery: deliverySchema,
    delivery_problem: z.string().describe('Why the mail is not out; empty unless it is failing.'),
    void_reason: z
      .string()
      .describe('Why it can not be accepted any more, for people; empty while it can. Sending it again asks again.'),
  })
  .meta({
    id: 'Invitation',
    examples: [
      {
        _id: FLEET.id,
        id: FLEET.id,
        user: 'kim@acme.example',
        invitedAt: FLEET.at,
        expires: FLEET.later,
        account: FLEET.account,
        group: { ...FLEET.group, role: 'Member' },
        delivery: 'Sent',
        delivery_problem: '',
        void_reason: '',
      },
    ],
  });
export type InvitationJson = z.output<typeof invitationSchema>;

export const invitationListSchema = z
  .object({ total: totalSchema, invitations: z.array(invitationSchema) })
  .meta({ id: 'InvitationList' });

export const sendInvitationBody = z
  .object({
    emails: inviteEmails,
    sender: ownPersonSchema,
    groups: inviteGroups.describe('Ids or names. The person joins the one with the widest role, the first on a tie.'),
    account: idSchema,
    account_name: z.string().max(200).optional().describe('Not used: the account decides.'),
    single: z
      .union([z.boolean(), z.string().max(10)])
      .optional()
      .describe('Not used: the groups decide.'),
  })
  .meta({
    id: 'InvitationRequest',
    examples: [{ emails: ['kim@acme.example'], groups: [FLEET.group.name], account: FLEET.account.id }],
  });
export type SendInvitationBody = z.output<typeof sendInvitationBody>;

export const invitationsSentSchema = doneSchema
  .extend({ invitations: z.array(invitationSchema) })
  .meta({ id: 'InvitationsSent' });

export const invitationResentSchema = doneSchema
  .extend({ invitation: invitationSchema })
  .meta({ id: 'InvitationResent' });

/** Whatever is stored can be taken back, by former rules for addresses too. */
export const storedEmail = z.string().min(3).max(254);

/** What the link of an invitation carries. */
const linkSchema = z.object({ email, account: idSchema, token: z.string().min(1).max(100) });
export type Link = z.output<typeof linkSchema>;

/** The same of a signed-in person, whose session vouches for the e-mail where no token came. */
export const acceptBody = z
  .object({
    ...linkSchema.shape,
    token: z.string().max(100).default('').describe("Of the mail's link. Empty: the session vouches for the e-mail."),
  })
  .meta({
    id: 'InvitationLink',
    examples: [
      { email: 'kim@acme.example', account: FLEET.account.id, token: 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA' },
    ],
  });
export type AcceptBody = z.output<typeof acceptBody>;

/** The same as a query: without a name, since a named schema is described as a body only. */
export const linkQuery = z.object(linkSchema.shape);

export const signUpBody = z.object({ ...linkSchema.shape, name: personName }).meta({
  id: 'SignUp',
  examples: [
    {
      email: 'kim@acme.example',
      account: FLEET.account.id,
      token: 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA',
      name: 'Kim Lake',
    },
  ],
});
export type SignUpBody = z.output<typeof signUpBody>;

/** What the person with the link is shown. */
export const invitationShownSchema = z
  .object({
    email: z.string(),
    account: z.object({ id: idSchema, name: z.string() }),
    group: z.object({ id: idSchema, name: z.string(), role: roleSchema }),
    invited_by: z.string().describe('Name or e-mail; empty if unknown.'),
    name: z.string().describe('Name from the sign-up; empty until then.'),
    expires: timeSchema,
  })
  .meta({
    id: 'InvitationShown',
    examples: [
      {
        email: 'kim@acme.example',
        account: FLEET.account,
        group: { ...FLEET.group, role: 'Member' },
        invited_by: FLEET.owner.name,
        name: '',
        expires: FLEET.later,
      },
    ],
  });

export const myInvitationsSchema = z
  .object({ total: totalSchema, invitations: z.array(invitationShownSchema) })
  .meta({ id: 'MyInvitations' });

export const acceptedSchema = doneSchema.extend({ user: idSchema, account: idSchema }).meta({
  id: 'InvitationAccepted',
  examples: [{ msg: 'invitation successfully accepted', user: FLEET.id, account: FLEET.account.id }],
});

/** The link as the services know it. */
export function linkOf({ email: address, account, token }: Link) {
  return { email: address, accountId: account, token };
}

/** An invitation as the REST interface shows it. */
export function invitationJson(invitation: Invitation): InvitationJson {
  const { id, email: user, accountId, accountName, groupId, groupName, role } = invitation;
  return {
    _id: id,
    id,
    user,
    invitedAt: isoTime(invitation.invitedAt),
    expires: isoTime(invitation.expires),
    account: { id: accountId, name: accountName },
    group: { id: groupId, name: groupName, role: roleName(role) },
    delivery: DELIVERIES[invitation.delivery],
    delivery_problem: invitation.deliveryProblem,
    void_reason: invitation.joinedElsewhere ? JOINED_ELSEWHERE : '',
  };
}

/** An invitation as the invited person sees it. */
export function shownJson({ invitation, name, invitedBy }: LookUpInvitationResponse) {
  const { user, account, group, expires } = invitationJson(invitation as Invitation);
  return { email: user, account, group, invited_by: invitedBy, name, expires };
}
