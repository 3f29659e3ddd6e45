import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import type { CreateGroupResponseSchema, DeleteGroupResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { LIMITS } from '@warren/rules/limits';
import { groupName } from '@warren/rules/names';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import { actedBy, type Emit } from '../contract/acting.ts';
import { check, invalid } from '../contract/check.ts';
import { unique } from '../contract/conflict.ts';
import { aboutGroup } from '../events/audited.ts';
import { invitationChanged, userChanged, type ChangedUser } from '../events/tenancy.event.ts';
import { InvitationEntity } from '../invitations/invitation.entity.ts';
import { UserEntity } from '../users/user.entity.ts';
import { HOME_GROUPS } from '../groups/default-groups.ts';
import { deleteRulesTo } from '../group-rules/group.rules.sql.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { GroupsService } from '../groups/groups.service.ts';

/** Permitted roles of a new group. */
const ROLES: Partial<Record<Role, keyof typeof HOME_GROUPS>> = { [Role.ADMIN]: 'Admin', [Role.MEMBER]: 'Member' };

/** Creates and deletes groups, for those who manage the account. */
@Injectable()
export class GroupManagement {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly groups: GroupsService,
  ) {}

  /** @throws Fault `already_exists` for a taken name, ignoring case; `failed_precondition` for too many */
  async create(
    caller: Caller,
    request: { accountId: string; name: string; role: Role },
  ): Promise<MessageInitShape<typeof CreateGroupResponseSchema>> {
    const { accountId } = request;
    const { userId } = requireMay(caller, 'groups.manage', accountId);
    const name = check('name', groupName, request.name);
    const role = ROLES[request.role];
    if (!role) throw invalid('role', 'expected Admin or Member.');
    const id = uuidv7();
    const made = this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      if ((await manager.countBy(GroupEntity, { accountId })) >= LIMITS.accountGroups)
        throw new Fault('failed_precondition', `an account has at most ${LIMITS.accountGroups} groups.`);
      await manager.insert(GroupEntity, { id, accountId, name, role, isDefault: false, created: new Date() });
      actedBy(userId, emit)(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId: id } } }));
      const about = aboutGroup({ id, accountId, name });
      emit(auditEvent(caller, { action: 'group.create', ...about, after: { name, role } }));
    });
    await unique('groups_name', 'A group with that name already exists.', made);
    return this.groups.get(caller, { id });
  }

  /**
   * Deletes a group. Its users and pending invitations move to the default group of the same role.
   * @throws Fault `failed_precondition` for a default group
   */
  async remove(caller: Caller, { id }: { id: string }): Promise<MessageInitShape<typeof DeleteGroupResponseSchema>> {
    const scope = sightOf(caller);
    return this.outbox.transaction(async (manager, emit) => {
      const where = { id, ...(scope === undefined ? {} : { accountId: scope }) };
      const lock = { mode: 'pessimistic_write' } as const;
      const found = isUuid(id) ? await manager.findOneBy(GroupEntity, where) : null;
      // Locks the account before the group, in the order of accepting an invitation.
      if (found) await lockAccount(manager, found.accountId, 'change');
      const group = found ? await manager.findOne(GroupEntity, { where, lock }) : null;
      if (!group) throw new Fault('not_found', `group ${id}.`);
      const user = requireMay(caller, 'groups.manage', group.accountId, `group ${id}`);
      if (group.isDefault || !(group.role in HOME_GROUPS))
        throw new Fault('failed_precondition', `${group.name} is a default group and can't be deleted.`);
      const moved = await emptyGroup(manager, actedBy(user.userId, emit), group);
      const details = emptiedDetails(moved);
      const before = { name: group.name, role: group.role };
      emit(auditEvent(caller, { action: 'group.delete', ...aboutGroup(group), before, details }));
      return { movedTo: moved.movedTo, movedUsers: moved.movedUsers };
    });
  }
}

/**
 * Deletes a group that is no default one, and the rules that lead to it; its users and invitations move to the default group of the same
 * role.
 */
export async function emptyGroup(manager: EntityManager, emit: Emit, group: GroupEntity) {
  const { id, accountId, role } = group;
  const name = HOME_GROUPS[role as keyof typeof HOME_GROUPS];
  const home = await manager.findOneByOrFail(GroupEntity, { accountId, name, isDefault: true });
  const moveAll = async (entity: typeof UserEntity | typeof InvitationEntity, columns: string): Promise<unknown> => {
    const update = manager.createQueryBuilder().update<{ groupId: string }>(entity).set({ groupId: home.id });
    return (await update.where({ accountId, groupId: id }).returning(columns).execute()).raw;
  };
  const users = (await moveAll(UserEntity, 'id, email, status')) as Omit<ChangedUser, 'accountId'>[];
  const invitations = (await moveAll(InvitationEntity, 'id')) as Pick<InvitationEntity, 'id'>[];
  const removedRules = await deleteRulesTo(manager, accountId, id);
  await manager.delete(GroupEntity, { id, accountId });
  emit(newEvent({ accountId, kind: { case: 'groupDeleted', value: { groupId: id } } }));
  emit(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId: home.id } } }));
  for (const user of users) emit(userChanged({ ...user, accountId }));
  for (const invitation of invitations) emit(invitationChanged({ ...invitation, accountId }));
  return { movedTo: home.name, movedUsers: users.length, removedRules };
}

/** Returns the details for the audit event of a deleted group. */
export function emptiedDetails({ movedTo, movedUsers, removedRules }: Awaited<ReturnType<typeof emptyGroup>>) {
  return { moved_to: movedTo, moved_users: movedUsers, ...(removedRules > 0 && { removed_rules: removedRules }) };
}
