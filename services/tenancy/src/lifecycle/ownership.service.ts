import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { ownerEmail } from '@warren/rules/emails';
import { Not, type EntityManager } from 'typeorm';
import { lockCustomer } from '../accounts/account.lock.ts';
import { actedBy, type Emit } from '../contract/acting.ts';
import { check } from '../contract/check.ts';
import { aboutAccount } from '../events/audited.ts';
import { invitationDeleted, accountChanged, userChanged } from '../events/tenancy.event.ts';
import { InvitationEntity } from '../invitations/invitation.entity.ts';
import { Invitations } from '../invitations/invitations.ts';
import { UsersQuota } from '../quotas/users.quota.ts';
import { placesOf, retireOwners, type Places } from '../users/places.ts';
import { UserEntity } from '../users/user.entity.ts';
import { hasOwner } from './ownership.sql.ts';

/** Changes the owner of an account: a user, or an invited person. SuperAdmins choose. */
@Injectable()
export class Ownership {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly invitations: Invitations,
    private readonly quota: UsersQuota,
  ) {}

  /**
   * Makes an e-mail the owner: a user of the account at once, an unknown one by invitation. The former owner becomes an admin
   * when the new one takes over, which for an invitation is its acceptance. Voids an earlier invitation to own the account.
   * @throws Fault `already_exists` for a user of another account; `failed_precondition` for a disabled user, for the operator
   *   account, and with `newOwner` if there is an owner by now; `quota_reached` for an unknown e-mail if the account is full
   */
  async assign(
    caller: Caller,
    request: { accountId: string; email: string; newOwner: boolean },
  ): Promise<{ invited: boolean }> {
    const { accountId, newOwner } = request;
    const { userId } = requireMay(caller, 'accounts.manage', accountId);
    const email = check('owner', ownerEmail, request.email);
    return this.outbox.transaction(async (manager, emit) => {
      const account = await lockCustomer(manager, accountId, 'change', 'given an owner');
      const emitAs = actedBy(userId, emit);
      const places = await placesOf(manager, accountId);
      const user = await eligible(manager, accountId, email);
      const former = (await manager.findBy(UserEntity, { accountId, groupId: places.owners })).map((one) => one.email);
      if (newOwner) await requireVacant(manager, places, account.name);
      await this.quota.inviting(manager, account, async () => {
        await withdrawInvitations(manager, emitAs, places, user ? undefined : email);
        const invite = { accountId, groupIds: [places.owners], email, invitedBy: userId };
        if (user) await promote(manager, emitAs, places, user);
        else await this.invitations.invite(manager, emitAs, invite);
      });
      for (const groupId of [places.owners, places.admins])
        emitAs(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId } } }));
      emitAs(accountChanged(account));
      const states = user ? { before: { owner: former }, after: { owner: [email] } } : {};
      const details = user ? {} : { invited: email };
      emit(auditEvent(caller, { action: 'account.assign_owner', ...aboutAccount(account), ...states, details }));
      return { invited: !user };
    });
  }
}

/** The user of that e-mail, if it exists and may own the account; locks its row. */
async function eligible(manager: EntityManager, accountId: string, email: string): Promise<UserEntity | null> {
  const user = await manager.findOne(UserEntity, { where: { email }, lock: { mode: 'for_no_key_update' } });
  if (!user) return null;
  if (user.accountId !== accountId) throw new Fault('already_exists', `${email} belongs to another account.`);
  if (user.status !== 'Active') throw new Fault('failed_precondition', `${email} is disabled; enable the user first.`);
  return user;
}

async function requireVacant(manager: EntityManager, { accountId, owners }: Places, name: string): Promise<void> {
  if (await hasOwner(manager, accountId, owners))
    throw new Fault('failed_precondition', `${name} has an owner already; change the owner instead.`);
}

/** @param keep the e-mail whose invitation is about to be renewed */
async function withdrawInvitations(
  manager: EntityManager,
  emit: Emit,
  { accountId, owners }: Places,
  keep = '',
): Promise<void> {
  const gone = await manager
    .createQueryBuilder()
    .delete()
    .from(InvitationEntity)
    .where({ accountId, groupId: owners, email: Not(keep) })
    .returning('id')
    .execute();
  for (const { id } of gone.raw as Pick<InvitationEntity, 'id'>[]) emit(invitationDeleted({ id, accountId }));
}

async function promote(manager: EntityManager, emit: Emit, places: Places, user: UserEntity): Promise<void> {
  const { accountId, owners } = places;
  await retireOwners(manager, emit, places, user.id);
  await manager.update(UserEntity, { id: user.id, accountId }, { groupId: owners });
  emit(userChanged(user));
}
