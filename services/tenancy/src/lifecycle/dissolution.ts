import { newEvent, type Event } from '@warren/platform/events/event';
import { In, type EntityManager } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.ts';
import { lockCustomer } from '../accounts/account.lock.ts';
import type { Emit } from '../contract/acting.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { InvitationEntity } from '../invitations/invitation.entity.ts';
import { ServiceAccountEntity } from '../service-accounts/service-account.entity.ts';
import { UserEntity } from '../users/user.entity.ts';

/** Users deleted by a statement, as each statement has a time limit. */
const USERS_AT_ONCE = 5_000;

interface PersonRow {
  id: string;
  email: string;
}

/** A deleted account, and how much of what was in it. */
interface Dissolved {
  account: AccountEntity;
  users: number;
  groups: number;
  invitations: number;
  serviceAccounts: number;
}

/**
 * Deletes a customer's account with its users, service accounts, groups and invitations, and emits an event for each.
 * @throws Fault `not_found`; `failed_precondition` for the operator account
 */
export async function dissolve(manager: EntityManager, emit: Emit, id: string): Promise<Dissolved> {
  const account = await lockCustomer(manager, id, 'delete', 'deleted');
  const [people, programs] = [await peopleOf(manager, id), await handlesOf(manager, id)];
  // The account first, so that its terminals end before the events of its users.
  const events = [accountDeleted(id), ...(await endings(manager, id, [...people, ...programs]))];
  await removeUsers(manager, id, people);
  await manager.delete(AccountEntity, { id });
  for (const event of events) emit(event);
  const count = (kind: Event['kind']['case']) => events.filter((event) => event.kind.case === kind).length;
  const [users, groups, invitations] = [count('userDeleted'), count('groupDeleted'), count('invitationDeleted')];
  const serviceAccounts = programs.length;
  return { account, users: users - serviceAccounts, groups, invitations, serviceAccounts };
}

/** The people of an account, by id. */
export function peopleOf(manager: EntityManager, accountId: string): Promise<PersonRow[]> {
  return manager.find(UserEntity, { select: { id: true, email: true }, where: { accountId }, order: { id: 'ASC' } });
}

/** Ids and handles of the service accounts of an account, by id. */
export function handlesOf(manager: EntityManager, accountId: string): Promise<PersonRow[]> {
  const select = { id: true, email: true } as const;
  return manager.find(ServiceAccountEntity, { select, where: { accountId }, order: { id: 'ASC' } });
}

/** Deletes them ahead of their account, which would take all of them in one statement. */
async function removeUsers(manager: EntityManager, accountId: string, people: readonly PersonRow[]): Promise<void> {
  for (let from = 0; from < people.length; from += USERS_AT_ONCE) {
    const ids = people.slice(from, from + USERS_AT_ONCE).map(({ id }) => id);
    await manager.delete(UserEntity, { accountId, id: In(ids) });
  }
}

/** The events for the contents of an account. */
async function endings(manager: EntityManager, accountId: string, people: PersonRow[]): Promise<Event[]> {
  const ids = { select: { id: true }, where: { accountId }, order: { id: 'ASC' } } as const;
  const groups = await manager.find(GroupEntity, ids);
  const invitations = await manager.find(InvitationEntity, ids);
  const kinds: Event['kind'][] = [
    ...people.map(({ id, email }) => ({ case: 'userDeleted', value: { userId: id, email } }) as Event['kind']),
    ...groups.map(({ id }) => ({ case: 'groupDeleted', value: { groupId: id } }) as Event['kind']),
    ...invitations.map(({ id }) => ({ case: 'invitationDeleted', value: { invitationId: id } }) as Event['kind']),
  ];
  return kinds.map((kind) => newEvent({ accountId, kind }));
}

function accountDeleted(accountId: string): Event {
  return newEvent({ accountId, kind: { case: 'accountDeleted', value: { accountId } } });
}
