import { Fault } from '@warren/platform/errors/fault';
import type { InvitationLink } from '@warren/proto/tenancy/v1/invitations';
import { readEmail } from '@warren/rules/emails';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { AccountEntity } from '../accounts/account.entity.ts';
import { lockAccount } from '../accounts/account.lock.ts';
import type { InvitationRow } from './invitation.row.ts';
import { invitationOfLink, lockInvitation, lockInvitationsTo } from './invitations.sql.ts';
import { hashOf } from './token.ts';

type Link = Pick<InvitationLink, 'email' | 'accountId' | 'token'> | undefined;

/**
 * Finds the invitation of a link.
 * @param vouched whether a session vouches for the address: then a link without a token is enough
 * @throws Fault `not_found` for an invalid link
 */
export async function find(manager: EntityManager, link: Link, vouched = false): Promise<InvitationRow> {
  const email = readEmail(link?.email ?? '');
  if (!link || email === undefined || !isUuid(link.accountId)) throw notGood();
  const tokenHash = vouched && link.token === '' ? undefined : hashOf(link.token);
  const row = await invitationOfLink(manager, { email, accountId: link.accountId, tokenHash });
  if (!row) throw notGood();
  return row;
}

/** Like the above, locked until the transaction ends. */
export async function holdOne(manager: EntityManager, link: Link): Promise<InvitationRow> {
  const { id } = await find(manager, link);
  await lockInvitation(manager, id);
  return find(manager, link);
}

/**
 * Like the above for a signed-in person, locked with its account and every other invitation of the address: of two concurrent
 * acceptances, one succeeds.
 * @throws Fault also `failed_precondition` for a disabled account
 */
export async function holdAll(
  manager: EntityManager,
  link: Link,
): Promise<{ row: InvitationRow; account: AccountEntity }> {
  const { account_id: accountId, email } = await find(manager, link, true);
  const account = await lockAccount(manager, accountId, 'change').catch(gone);
  await lockInvitationsTo(manager, email);
  const row = await find(manager, link, true);
  if (account.status === 'Active') return { row, account };
  const text = `${account.name} takes no new users now. Ask the person who invited you.`;
  throw new Fault('failed_precondition', text, { subject: 'Account disabled' });
}

function gone(error: unknown): AccountEntity {
  throw error instanceof Fault && error.code === 'not_found' ? notGood() : error;
}

function notGood(): Fault {
  const text = 'this invitation is not good any more. Ask for a new one to be sent to you.';
  return new Fault('not_found', text);
}
