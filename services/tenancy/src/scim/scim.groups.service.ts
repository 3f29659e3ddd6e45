import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { Caller } from '@warren/platform/rpc/caller';
import type {
  ChangeScimGroupRequest,
  DeleteScimRequest,
  ListScimGroupsResponseSchema,
  ListScimRequest,
  ScimGroupResponseSchema,
} from '@warren/proto/tenancy/v1/scim';
import { LIMITS } from '@warren/rules/limits';
import { SCIM_LIMITS } from '@warren/rules/scim';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import type { Emit } from '../contract/acting.ts';
import { check } from '../contract/check.ts';
import { unique } from '../contract/conflict.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { emptiedDetails, emptyGroup } from '../lifecycle/group-management.service.ts';
import { provisionerOf, type Provisioner } from './provisioner.ts';
import { scimGroupName } from './scim.group.name.ts';
import {
  claimGroup,
  countScimGroups,
  lockScimGroup,
  membersOf,
  saveExternalId,
  scimGroups,
  type ScimGroupRow,
  type ScimMemberRow,
} from './scim.groups.sql.ts';
import { ScimMembers } from './scim.members.ts';

type Answer = MessageInitShape<typeof ScimGroupResponseSchema>;

const TAKEN = 'the account has a group with this name.';

/** What identity providers do to the groups of their account: to those with the role Member alone. */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly members: ScimMembers,
  ) {}

  /** Lists groups with the role Member, oldest first. @throws Fault `unauthenticated` */
  async list(caller: Caller, request: ListScimRequest): Promise<MessageInitShape<typeof ListScimGroupsResponseSchema>> {
    const { accountId } = await provisionerOf(this.source, caller, request.tokenId);
    const filter = { accountId, attribute: request.attribute, value: request.value };
    const part = { offset: request.offset, limit: Math.min(request.limit, SCIM_LIMITS.page) };
    const [rows, total] = await Promise.all([
      scimGroups(this.source, filter, part),
      countScimGroups(this.source, filter),
    ]);
    const ids = rows.map(({ id }) => id);
    const members = request.withoutMembers ? [] : await membersOf(this.source, accountId, ids);
    return { groups: rows.map((row) => asScimGroup(row, members)), total };
  }

  /** Creates a group with the role Member. @throws Fault `already_exists`, `invalid_argument`, `quota_reached` for too many */
  async create(caller: Caller, request: ChangeScimGroupRequest): Promise<Answer> {
    const name = check('displayName', scimGroupName, request.name);
    const id = uuidv7();
    const made = this.outbox.transaction(async (manager, emit) => {
      const provisioner = await provisionerOf(manager, caller, request.tokenId);
      const { accountId, audited } = provisioner;
      await lockAccount(manager, accountId, 'change');
      if ((await manager.countBy(GroupEntity, { accountId })) >= LIMITS.accountGroups)
        throw new Fault('quota_reached', `an account has at most ${LIMITS.accountGroups} groups.`);
      await manager.insert(GroupEntity, { id, accountId, name, role: 'Member', isDefault: false, created: new Date() });
      await saveExternalId(manager, accountId, id, request.externalId ?? '');
      emit(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId: id } } }));
      emit(audited({ action: 'group.create', target: { kind: 'group', id, name }, after: { name, role: 'Member' } }));
      return this.finish(manager, emit, { provisioner, id, request });
    });
    return { group: await unique('groups_name', TAKEN, made) };
  }

  /** Changes name, external id and members. @throws Fault `not_found`, `permission_denied` for the name of a default group, … */
  async change(caller: Caller, request: ChangeScimGroupRequest): Promise<Answer> {
    const { id } = request;
    const name = request.name === undefined ? undefined : check('displayName', scimGroupName, request.name);
    const made = this.outbox.transaction(async (manager, emit) => {
      const provisioner = await provisionerOf(manager, caller, request.tokenId);
      const { accountId } = provisioner;
      await lockAccount(manager, accountId, 'change');
      const group = await lockGroup(manager, accountId, id);
      if (name !== undefined && name !== group.name) await rename(manager, emit, provisioner, { group, name });
      await (request.externalId === undefined
        ? claimGroup(manager, accountId, id)
        : saveExternalId(manager, accountId, id, request.externalId));
      return this.finish(manager, emit, { provisioner, id, request });
    });
    return { group: await unique('groups_name', TAKEN, made) };
  }

  /** Deletes a group. @throws Fault `not_found`, `permission_denied` for a default group */
  async delete(caller: Caller, { tokenId, id }: DeleteScimRequest): Promise<Record<string, never>> {
    return this.outbox.transaction(async (manager, emit) => {
      const { accountId, audited } = await provisionerOf(manager, caller, tokenId);
      await lockAccount(manager, accountId, 'change');
      const row = await lockGroup(manager, accountId, id);
      if (row.is_default) throw new Fault('permission_denied', `${row.name} is a default group and can't be deleted.`);
      const group = await manager.findOneByOrFail(GroupEntity, { id, accountId });
      const details = emptiedDetails(await emptyGroup(manager, emit, group));
      const before = { name: group.name, role: group.role };
      emit(audited({ action: 'group.delete', target: { kind: 'group', id, name: group.name }, before, details }));
      return {};
    });
  }

  private async finish(
    manager: EntityManager,
    emit: Emit,
    { provisioner, id, request }: { provisioner: Provisioner; id: string; request: ChangeScimGroupRequest },
  ): Promise<NonNullable<Answer['group']>> {
    const { accountId } = provisioner;
    const group = await lockGroup(manager, accountId, id);
    await this.members.change(manager, emit, provisioner, group, request.members);
    const members = request.withoutMembers ? [] : await membersOf(manager, accountId, [id]);
    return asScimGroup(group, members);
  }
}

async function lockGroup(manager: EntityManager, accountId: string, id: string): Promise<ScimGroupRow> {
  const group = isUuid(id) ? await lockScimGroup(manager, accountId, id) : undefined;
  if (!group) throw new Fault('not_found', `group ${id.slice(0, 64)}.`);
  return group;
}

async function rename(
  manager: EntityManager,
  emit: Emit,
  { accountId, audited }: Provisioner,
  { group, name }: { group: ScimGroupRow; name: string },
): Promise<void> {
  const { id } = group;
  if (group.is_default) throw new Fault('permission_denied', `${group.name} is a default group and keeps its name.`);
  await manager.update(GroupEntity, { id, accountId }, { name });
  emit(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId: id } } }));
  emit(
    audited({
      action: 'group.rename',
      target: { kind: 'group', id, name },
      before: { name: group.name },
      after: { name },
    }),
  );
}

function asScimGroup(row: ScimGroupRow, members: readonly ScimMemberRow[]): NonNullable<Answer['group']> {
  const { id, name, external_id: externalId } = row;
  const own = members.filter(({ group_id }) => group_id === id).map((member) => ({ id: member.id, name: member.name }));
  return { id, name, externalId, members: own, created: timestampFromDate(row.created) };
}
