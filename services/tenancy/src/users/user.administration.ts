import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller, UserCaller } from '@warren/platform/rpc/caller';
import { Status } from '@warren/proto/common/v1/common';
import type { UserSchema } from '@warren/proto/tenancy/v1/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { announceOwner } from '../accounts/owner.ts';
import { actedBy, type Emit } from '../contract/acting.ts';
import type { StatusName } from '../contract/enums.ts';
import { aboutUser } from '../events/audited.ts';
import { userChanged } from '../events/tenancy.event.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { unbind } from './binding.ts';
import { requireJoinable, requireNarrower } from './ranks.ts';
import { requireAnotherSuperAdmin } from './super-admins.ts';
import { UserEntity } from './user.entity.ts';
import { asUser, type UserRow } from './user.row.ts';
import { userOf } from './users.sql.ts';

type UserInit = MessageInitShape<typeof UserSchema>;

/** A change of a locked user. */
interface Changing {
  manager: EntityManager;
  emit: Emit;
  row: UserRow;
  user: UserCaller;
  /** Emits the audit event of the change. */
  audit: (audited: Pick<Audited, 'action' | 'before' | 'after' | 'details'>) => void;
}
type Change<T> = (changing: Changing) => Promise<T>;

/** What managers do to other users (spec section 6, 'User row actions'). */
@Injectable()
export class UserAdministration {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** A user of an account whose users the caller may list. */
  async get(caller: Caller, { id }: { id: string }): Promise<{ user: UserInit }> {
    const row = isUuid(id) ? await userOf(this.source, id, sightOf(caller)) : undefined;
    if (!row) throw missing(id);
    requireMay(caller, 'users.list', row.account_id, `user ${id}`);
    return { user: asUser(row) };
  }

  /** Disables a user, which ends sessions and terminals, or enables one again. */
  async setStatus(caller: Caller, { id, status }: { id: string; status: Status }): Promise<{ user: UserInit }> {
    const name: StatusName = status === Status.ACTIVE ? 'Active' : 'Inactive';
    if (status === Status.UNSPECIFIED) throw invalidInput({ field: 'status', message: 'expected Active or Inactive.' });
    return this.change(caller, id, async ({ manager, emit, row, audit }) => {
      if (row.status === name) return { user: asUser(row) };
      if (name === 'Inactive') await requireAnotherSuperAdmin(manager, row, 'disabled');
      await manager.update(UserEntity, { id, accountId: row.account_id }, { status: name });
      emit(userEvent({ ...row, status: name }));
      const action = name === 'Active' ? 'user.enable' : 'user.disable';
      audit({ action, before: { status: row.status }, after: { status: name } });
      return { user: asUser({ ...row, status: name }) };
    });
  }

  /**
   * Puts a user into another group of the same account. `oldGroupId` and `accountId`, where given, must be the user's.
   * @throws Fault `failed_precondition` when the user is in another group than the caller saw
   */
  async move(
    caller: Caller,
    request: { id: string; groupId: string; oldGroupId: string; accountId: string },
  ): Promise<{ user: UserInit }> {
    const { id, groupId, oldGroupId } = request;
    return this.change(caller, id, async ({ manager, emit, row, user, audit }) => {
      const { account_id: accountId, group_id: from } = row;
      if (request.accountId && request.accountId !== accountId) throw missing(id);
      if (oldGroupId && oldGroupId !== from)
        throw new Fault('failed_precondition', `${row.email} is in the group ${row.group_name} now.`);
      const group = await groupOf(manager, accountId, groupId);
      requireJoinable(user, group);
      if (groupId === from) return { user: asUser(row) };
      if (group.role !== 'SuperAdmin') await requireAnotherSuperAdmin(manager, row, 'moved');
      await manager.update(UserEntity, { id, accountId }, { groupId });
      emit(userEvent(row));
      await announceGroups(manager, emit, row, groupId);
      const before = { group: row.group_name, role: row.role };
      audit({ action: 'user.move', before, after: { group: group.name, role: group.role } });
      return { user: asUser({ ...row, group_id: groupId, group_name: group.name, role: group.role }) };
    });
  }

  /** Deletes a user for good. */
  async delete(caller: Caller, { id }: { id: string }): Promise<object> {
    return this.change(caller, id, async ({ manager, emit, row, audit }) => {
      const { account_id: accountId, email } = row;
      await requireAnotherSuperAdmin(manager, row, 'deleted');
      await manager.delete(UserEntity, { id, accountId });
      emit(newEvent({ accountId, kind: { case: 'userDeleted', value: { userId: id, email } } }));
      await announceGroups(manager, emit, row);
      audit({ action: 'user.delete', details: { email, group: row.group_name, role: row.role } });
      return {};
    });
  }

  /**
   * Unbinds a user from the identity of the sign-in and ends the sessions; the next sign-in with the address binds. For users who
   * move to another provider, or whose name at the provider has changed. Recorded in the audit trail.
   */
  async resetSignIn(caller: Caller, { id }: { id: string }): Promise<{ user: MessageInitShape<typeof UserSchema> }> {
    return this.change(caller, id, async ({ manager, emit, row, user, audit }) => {
      requireMay(caller, 'users.reset-sign-in', row.account_id, `user ${id}`);
      await unbind(manager, row);
      emit({ ...userEvent(row, user.name || user.email), audited: true });
      const before = { provider: row.provider, subject: row.subject };
      audit({ action: 'user.reset_sign_in', before, after: { provider: '', subject: '' } });
      return { user: asUser({ ...row, provider: '', subject: '' }) };
    });
  }

  /** Runs a change on another user whom the caller may manage, locked. */
  private change<T>(caller: Caller, id: string, work: Change<T>): Promise<T> {
    const accountId = sightOf(caller);
    if (!isUuid(id)) throw missing(id);
    return this.outbox.transaction(async (manager, emit) => {
      const row = await lockUser(manager, id, accountId);
      const user = requireMay(caller, 'users.manage', row.account_id, `user ${id}`);
      if (row.id === user.userId)
        throw new Fault('failed_precondition', 'your own user is not yours to disable, delete, move or reset.');
      requireNarrower(user, row.role);
      const audit: Changing['audit'] = (audited) => emit(auditEvent(caller, { ...aboutUser(row), ...audited }));
      return work({ manager, emit: actedBy(user.userId, emit), row, user, audit });
    });
  }
}

/**
 * Locks first and joins after: of a statement that does both, PostgreSQL joins the changed row with what it read before, and finds nothing
 * when a change at the same time moved the user.
 * @throws Fault `not_found`
 */
async function lockUser(manager: EntityManager, id: string, accountId: string | undefined): Promise<UserRow> {
  const where = accountId === undefined ? { id } : { id, accountId };
  await manager.findOne(UserEntity, { select: { id: true }, where, lock: { mode: 'pessimistic_write' } });
  const row = await userOf(manager, id, accountId);
  if (!row) throw missing(id);
  return row;
}

function missing(id: string): Fault {
  return new Fault('not_found', `user ${id}.`);
}

async function groupOf(manager: EntityManager, accountId: string, id: string): Promise<GroupEntity> {
  // Held until the end, so that it is not deleted with the user on the way in.
  const group = isUuid(id)
    ? await manager.findOne(GroupEntity, { where: { accountId, id }, lock: { mode: 'pessimistic_read' } })
    : null;
  if (!group) throw new Fault('not_found', `group ${id}.`);
  return group;
}

function userEvent(row: UserRow, signInResetBy = '') {
  return userChanged({ ...row, accountId: row.account_id }, signInResetBy);
}

/** Groups count their users, and accounts show their owner. */
async function announceGroups(manager: EntityManager, emit: Emit, row: UserRow, to?: string): Promise<void> {
  const { account_id: accountId, group_id: from } = row;
  for (const groupId of to ? [from, to] : [from])
    emit(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId } } }));
  if (row.role === 'Owner') await announceOwner(manager, emit, accountId);
}
