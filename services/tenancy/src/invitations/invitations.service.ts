import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { inSnapshot } from '@warren/platform/database/snapshot';
import { Fault, type FieldProblem } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { listScope, may, requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller, UserCaller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import type { InvitationSchema, ListInvitationsResponseSchema } from '@warren/proto/tenancy/v1/invitations';
import { inviteEmails } from '@warren/rules/emails';
import { inviteGroups } from '@warren/rules/groups';
import { LIMITS } from '@warren/rules/limits';
import { nameKey } from '@warren/rules/names';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid, v4 as uuidv4 } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import { announceOwner } from '../accounts/owner.ts';
import type { Emit } from '../contract/acting.ts';
import { check } from '../contract/check.ts';
import { aboutInvitation } from '../events/audited.ts';
import { invitationChanged, invitationDeleted } from '../events/tenancy.event.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { UsersQuota } from '../quotas/users.quota.ts';
import { requireJoinable, requireNarrower } from '../users/ranks.ts';
import { InvitationEntity } from './invitation.entity.ts';
import { asInvitation, type InvitationRow } from './invitation.row.ts';
import { Invitations, requireNoUser } from './invitations.ts';
import { invitationOf, invitationsOf, invitationsPage, lockWithAccount } from './invitations.sql.ts';

type InvitationInit = MessageInitShape<typeof InvitationSchema>;

/** Manages pending invitations, for those who manage an account. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly invitations: Invitations,
    private readonly quota: UsersQuota,
  ) {}

  /** Lists the newest first: of the given account; without one, of all if the caller may see the directory, else of the caller's. */
  async list(
    caller: Caller,
    request: { page?: PageRequest; accountId: string; groupId: string },
  ): Promise<MessageInitShape<typeof ListInvitationsResponseSchema>> {
    const scope = listScope(caller, 'invitations.list', request.accountId);
    const accountId = scope.accountId ?? (may(scope.user, 'users.list-all') ? undefined : scope.user.accountId);
    const groupId = request.groupId || undefined;
    if (accountId && !isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
    if (groupId && !isUuid(groupId)) throw new Fault('not_found', `group ${groupId}.`);
    const page = pageOf(request.page, LIMITS.pageSize.invitations);
    const filter = { accountId, groupId };
    const { rows, total } = await inSnapshot(this.source, (manager) => invitationsPage(manager, filter, page));
    return { invitations: rows.map(asInvitation), total };
  }

  /**
   * Invites each e-mail into the widest of the groups, which are ids or names; all of them or none.
   * @throws Fault `already_exists` whose problems name each e-mail that is a user already
   */
  async send(
    caller: Caller,
    input: { accountId: string; groups: string[]; emails: string[] },
  ): Promise<{ invitations: InvitationInit[] }> {
    const { accountId } = input;
    const user = requireMay(caller, 'invitations.manage', accountId);
    if (!isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
    const emails = check('emails', inviteEmails, input.emails);
    const names = check('groups', inviteGroups, input.groups);
    return this.outbox.transaction(async (manager, emit) => {
      const account = await lockAccount(manager, accountId, 'change');
      const groups = await findGroups(manager, accountId, names);
      for (const group of groups) requireJoinable(user, group);
      const invite = { accountId, groupIds: groups.map(({ id }) => id), invitedBy: user.userId };
      const ids = await this.quota.inviting(manager, account, () => this.inviteAll(manager, emit, invite, emails));
      const rows = await invitationsOf(manager, ids);
      for (const row of rows)
        emit(auditEvent(caller, { action: 'invitation.send', ...aboutInvitation(row), ...placeOf(row) }));
      return { invitations: rows.map(asInvitation) };
    });
  }

  /**
   * Sends a new mail with a new token; voids the former token and restarts the seven days.
   * @throws Fault `already_exists` for a person who has become a user, of another account too; `quota_reached` for an expired
   *   invitation if the account has no room for users
   */
  async resend(caller: Caller, { id }: { id: string }): Promise<{ invitation: InvitationInit }> {
    return this.change(caller, id, async (manager, emit, user, { email, account_id: accountId }) => {
      await requireNoUser(manager, accountId, email);
      const account = await lockAccount(manager, accountId, 'change');
      await this.quota.inviting(manager, account, () => manager.update(InvitationEntity, { id }, renewed()));
      const row = await invitationOf(manager, id);
      if (!row) throw missing(id);
      emit(invitationChanged({ id, accountId: row.account_id }, user.userId));
      emit(auditEvent(caller, { action: 'invitation.resend', ...aboutInvitation(row), ...placeOf(row) }));
      return { invitation: asInvitation(row) };
    });
  }

  /** Cancels an invitation and voids its link. `email` must match the invitation's, as a check against a wrong id. */
  async cancel(caller: Caller, { id, email }: { id: string; email: string }): Promise<object> {
    return this.change(caller, id, async (manager, emit, user, row) => {
      if (row.email !== email.trim().toLowerCase()) throw new Fault('not_found', `invitation ${id} for ${email}.`);
      await manager.delete(InvitationEntity, { id });
      emit(invitationDeleted({ id, accountId: row.account_id }, user.userId));
      emit(auditEvent(caller, { action: 'invitation.cancel', ...aboutInvitation(row), ...placeOf(row) }));
      if (row.role === 'Owner') await announceOwner(manager, emit, row.account_id);
      return {};
    });
  }

  private async inviteAll(
    manager: EntityManager,
    emit: Emit,
    invite: { accountId: string; groupIds: string[]; invitedBy: string },
    emails: string[],
  ): Promise<string[]> {
    const ids: string[] = [];
    const problems: FieldProblem[] = [];
    for (const [index, email] of emails.entries()) {
      try {
        ids.push(await this.invitations.invite(manager, emit, { ...invite, email }));
      } catch (error) {
        if (!(error instanceof Fault && error.code === 'already_exists')) throw error;
        problems.push({ field: `emails.${index}`, message: error.message });
      }
    }
    if (problems.length === 0) return ids;
    const text = problems.map(({ message }) => message).join(' ');
    throw new Fault('already_exists', `${text} Nobody was invited.`, { problems });
  }

  /** Changes a locked invitation that the caller may manage. */
  private change<T>(
    caller: Caller,
    id: string,
    work: (manager: EntityManager, emit: Emit, user: UserCaller, row: InvitationRow) => Promise<T>,
  ): Promise<T> {
    const accountId = sightOf(caller);
    if (!isUuid(id)) throw missing(id);
    return this.outbox.transaction(async (manager, emit) => {
      // Locks before it joins, so that a concurrent change of the group hides nothing. Locks the account first.
      await lockWithAccount(manager, id);
      const row = await invitationOf(manager, id, accountId);
      if (!row) throw missing(id);
      const user = requireMay(caller, 'invitations.manage', row.account_id, `invitation ${id}`);
      requireNarrower(user, row.role);
      return work(manager, emit, user, row);
    });
  }
}

/** Another mail with another token, and seven more days. */
function renewed() {
  return {
    mailing: uuidv4(),
    tokenHash: null,
    expires: () => `now() + interval '7 days'`,
    delivery: 'Queued',
    deliveryProblem: '',
    enqueuedAt: null,
    joinedElsewhere: false,
  } as const;
}

/** Where an invitation leads, for its audit event. */
function placeOf({ group_name: group, role }: InvitationRow) {
  return { details: { group, role } };
}

function missing(id: string): Fault {
  return new Fault('not_found', `invitation ${id}.`);
}

async function findGroups(manager: EntityManager, accountId: string, names: string[]): Promise<GroupEntity[]> {
  const all = await manager.findBy(GroupEntity, { accountId });
  return names.map((name) => {
    const group = all.find((one) => one.id === name || nameKey(one.name) === nameKey(name));
    if (!group) throw new Fault('not_found', `group ${name}.`);
    return group;
  });
}
