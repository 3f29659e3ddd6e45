import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { Caller } from '@warren/platform/rpc/caller';
import type {
  ChangeScimUserRequest,
  DeleteScimRequest,
  ListScimRequest,
  ListScimUsersResponseSchema,
  ScimUserResponseSchema,
} from '@warren/proto/tenancy/v1/scim';
import { domainOf } from '@warren/rules/emails';
import { SCIM_LIMITS } from '@warren/rules/scim';
import { DataSource, IsNull, Not, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import { DomainEntity } from '../domains/domain.entity.ts';
import type { Emit } from '../contract/acting.ts';
import { unique } from '../contract/conflict.ts';
import { aboutInvitation, aboutUser } from '../events/audited.ts';
import { invitationDeleted, userChanged } from '../events/tenancy.event.ts';
import { HOME_GROUPS } from '../groups/default-groups.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { InvitationEntity } from '../invitations/invitation.entity.ts';
import { voidOthers } from '../invitations/void.ts';
import { UsersQuota } from '../quotas/users.quota.ts';
import { UserEntity } from '../users/user.entity.ts';
import { provisionerOf, type Provisioner } from './provisioner.ts';
import { changeOf, namesOf, type UserFields } from './scim.user.fields.ts';
import {
  countScimUsers,
  isOthersAddress,
  saveScimNames,
  scimUserOf,
  scimUsers,
  type ScimUserRow,
} from './scim.users.sql.ts';

type Answer = MessageInitShape<typeof ScimUserResponseSchema>;

const TAKEN = 'a user with this user name or address exists already.';

/** What identity providers do to the users of their account. Owners and operators are out of reach. */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly quota: UsersQuota,
  ) {}

  /** Lists users of the account, oldest first. @throws Fault `unauthenticated` */
  async list(caller: Caller, request: ListScimRequest): Promise<MessageInitShape<typeof ListScimUsersResponseSchema>> {
    const { accountId } = await provisionerOf(this.source, caller, request.tokenId);
    const filter = { accountId, attribute: request.attribute, value: request.value };
    const part = { offset: request.offset, limit: Math.min(request.limit, SCIM_LIMITS.page) };
    const [users, total] = await Promise.all([
      scimUsers(this.source, filter, part),
      countScimUsers(this.source, filter),
    ]);
    return { users: users.map(asScimUser), total };
  }

  /**
   * Creates a user in the default group of Members.
   * @throws Fault `permission_denied` for a domain that the account has not verified, `already_exists` for an address or a user name that is
   *   taken, in whichever account; `quota_reached`; `invalid_argument`
   */
  async create(caller: Caller, request: ChangeScimUserRequest): Promise<Answer> {
    const made = this.outbox.transaction(async (manager, emit) => {
      const provisioner = await provisionerOf(manager, caller, request.tokenId);
      const { accountId, audited } = provisioner;
      const account = await lockAccount(manager, accountId, 'change');
      const fields = namesOf(request);
      const owned = { accountId, name: domainOf(fields.email), verified: Not(IsNull()) };
      if (!(await manager.existsBy(DomainEntity, owned))) throw foreign(fields.email);
      const group = await manager.findOneByOrFail(GroupEntity, {
        accountId,
        name: HOME_GROUPS.Member,
        isDefault: true,
      });
      const user = newUser(accountId, group.id, fields);
      await this.quota.inviting(manager, account, async () => {
        await dropInvitation(manager, emit, user, audited);
        await manager.insert(UserEntity, user);
        await voidOthers(manager, emit, user);
      });
      await saveScimNames(manager, { ...fields.names, id: user.id, account_id: accountId });
      emit(userChanged(user));
      emit(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId: group.id } } }));
      const after = { email: user.email, name: user.name, group: group.name, status: user.status };
      emit(
        audited({ action: 'user.create', target: { kind: 'user', id: user.id, name: user.name || user.email }, after }),
      );
      return hold(manager, accountId, user.id);
    });
    const row = await unique('scim_users_name', TAKEN, unique('users_email', TAKEN, made));
    return { user: asScimUser(row) };
  }

  /**
   * Changes the given fields. Disabling ends sessions, API tokens and terminals.
   * @throws Fault `not_found`, `permission_denied` for an Owner, `failed_precondition` for another address, `already_exists`
   */
  async change(caller: Caller, request: ChangeScimUserRequest): Promise<Answer> {
    const made = this.outbox.transaction(async (manager, emit) => {
      const provisioner = await provisionerOf(manager, caller, request.tokenId);
      const row = await lockUser(manager, provisioner.accountId, request.id);
      const { user, names } = changeOf(row, request);
      requireWithin(row, user.name !== row.name || user.status !== row.status);
      const isNew = names.user_name !== row.user_name;
      if (isNew && (await isOthersAddress(manager, row, names.user_name))) throw new Fault('already_exists', TAKEN);
      await saveScimNames(manager, { ...names, id: row.id, account_id: row.account_id });
      await apply(manager, emit, provisioner, row, user);
      return hold(manager, row.account_id, row.id);
    });
    return { user: asScimUser(await unique('scim_users_name', TAKEN, made)) };
  }

  /** Deletes a user for good. @throws Fault `not_found`, `permission_denied` for an Owner */
  async delete(caller: Caller, request: DeleteScimRequest): Promise<Record<string, never>> {
    return this.outbox.transaction(async (manager, emit) => {
      const { accountId, audited } = await provisionerOf(manager, caller, request.tokenId);
      const row = await lockUser(manager, accountId, request.id);
      requireWithin(row, true);
      const { id, email, group_id: groupId } = row;
      await manager.delete(UserEntity, { id, accountId });
      emit(newEvent({ accountId, kind: { case: 'userDeleted', value: { userId: id, email } } }));
      emit(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId } } }));
      const { target } = aboutUser(row);
      emit(audited({ action: 'user.delete', target, details: { email, group: row.group_name, role: row.role } }));
      return {};
    });
  }
}

/** Writes what differs, and emits one audit event for each kind of change. */
async function apply(
  manager: EntityManager,
  emit: Emit,
  { accountId, audited }: Provisioner,
  row: ScimUserRow,
  { name, status }: Pick<ScimUserRow, 'name' | 'status'>,
): Promise<void> {
  if (name === row.name && status === row.status) return;
  await manager.update(UserEntity, { id: row.id, accountId }, { name, status });
  emit(userChanged({ id: row.id, accountId, email: row.email, status }));
  const { target } = aboutUser({ ...row, name });
  if (name !== row.name)
    emit(audited({ action: 'user.change_profile', target, before: { name: row.name }, after: { name } }));
  const action = status === 'Active' ? 'user.enable' : 'user.disable';
  if (status !== row.status) emit(audited({ action, target, before: { status: row.status }, after: { status } }));
}

function newUser(accountId: string, groupId: string, { email, name, active }: UserFields): UserEntity {
  return {
    id: uuidv7(),
    accountId,
    groupId,
    email,
    name,
    picture: '',
    status: active ? 'Active' : 'Inactive',
    created: new Date(),
    provider: '',
    subject: '',
    boundAt: null,
  };
}

/**
 * Cancels the account's invitation of somebody who is a user now.
 * @throws Fault `permission_denied` if it is to a wider role than Member
 */
async function dropInvitation(
  manager: EntityManager,
  emit: Emit,
  { accountId, email }: UserEntity,
  audited: Provisioner['audited'],
): Promise<void> {
  const invitation = await manager.findOneBy(InvitationEntity, { accountId, email });
  if (!invitation) return;
  const { id, groupId } = invitation;
  const { name, role } = await manager.findOneByOrFail(GroupEntity, { id: groupId, accountId });
  if (role !== 'Member')
    throw new Fault(
      'permission_denied',
      `${email} is invited with the role ${role}; SCIM creates users with the role Member.`,
    );
  await manager.delete(InvitationEntity, { id, accountId });
  emit(invitationDeleted({ id, accountId }));
  const { target } = aboutInvitation({ id, account_id: accountId, email });
  emit(audited({ action: 'invitation.cancel', target, details: { group: name, role } }));
}

/** Locks first and joins after, as `UserAdministration` does. @throws Fault `not_found` */
async function lockUser(manager: EntityManager, accountId: string, id: string): Promise<ScimUserRow> {
  if (!isUuid(id)) throw missing(id);
  await manager.findOne(UserEntity, {
    select: { id: true },
    where: { id, accountId },
    lock: { mode: 'pessimistic_write' },
  });
  return hold(manager, accountId, id);
}

async function hold(manager: EntityManager, accountId: string, id: string): Promise<ScimUserRow> {
  const row = await scimUserOf(manager, accountId, id);
  if (!row) throw missing(id);
  return row;
}

const missing = (id: string) => new Fault('not_found', `user ${id.slice(0, 64)}.`);

function foreign(email: string): Fault {
  const domain = domainOf(email);
  return new Fault(
    'permission_denied',
    `${domain} is no verified domain of this account; an Owner adds it at Domains in the console.`,
  );
}

/** @throws Fault `permission_denied` for a change of somebody in a role that SCIM does not reach */
function requireWithin({ role }: Pick<ScimUserRow, 'role'>, changes: boolean): void {
  if (changes && (role === 'Owner' || role === 'SuperAdmin'))
    throw new Fault('permission_denied', `the user has the role ${role}, which SCIM does not change.`);
}

function asScimUser(row: ScimUserRow): NonNullable<Answer['user']> {
  const { id, name, user_name: userName, external_id: externalId, group_id: groupId } = row;
  const email = row.written_email === '' ? row.email : row.written_email;
  const { given_name: givenName, family_name: familyName, group_name: groupName } = row;
  const active = row.status === 'Active';
  const created = timestampFromDate(row.created);
  return { id, email, name, userName, externalId, givenName, familyName, groupId, groupName, active, created };
}
