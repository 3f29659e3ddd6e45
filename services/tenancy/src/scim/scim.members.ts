import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { ScimMemberOperation, type ScimMemberChange } from '@warren/proto/tenancy/v1/scim';
import { SCIM_LIMITS } from '@warren/rules/scim';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Emit } from '../contract/acting.ts';
import { invalid } from '../contract/check.ts';
import { userChanged } from '../events/tenancy.event.ts';
import { HOME_GROUPS } from '../groups/default-groups.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { lockUsers, movingUsers, moveUsers, type MovingRow } from '../users/moves.sql.ts';
import type { Provisioner } from './provisioner.ts';
import { membersOf, type ScimGroupRow } from './scim.groups.sql.ts';

interface Move {
  provisioner: Provisioner;
  from?: string;
  users: readonly string[];
  to: Pick<ScimGroupRow, 'id' | 'name'>;
}

/** Changes the members of groups. A user of Warren is in exactly one group: the one that the user was last added to. */
@Injectable()
export class ScimMembers {
  /**
   * Applies changes in their order. Those who are removed move to the default group; in that group they stay.
   * @throws Fault `invalid_argument` for a user who is not of the account and for too many; `permission_denied` for an Owner or Admin
   */
  async change(
    manager: EntityManager,
    emit: Emit,
    provisioner: Provisioner,
    group: ScimGroupRow,
    changes: readonly ScimMemberChange[],
  ): Promise<void> {
    if (changes.length === 0) return;
    const named = changes.flatMap(({ users }) => users.map((id) => id.toLowerCase()));
    if (named.length > SCIM_LIMITS.members)
      throw invalid('members', `expected at most ${SCIM_LIMITS.members} in one request.`);
    const { accountId } = provisioner;
    await lockUsers(
      manager,
      accountId,
      named.filter((id) => isUuid(id)),
    );
    const current = new Set((await membersOf(manager, accountId, [group.id])).map(({ id }) => id));
    const wanted = wantedOf(current, changes);
    const added = [...wanted].filter((id) => !current.has(id));
    const removed = [...current].filter((id) => !wanted.has(id));
    await this.move(manager, emit, { provisioner, users: await this.joining(manager, accountId, added), to: group });
    const home = await manager.findOneByOrFail(GroupEntity, { accountId, name: HOME_GROUPS.Member, isDefault: true });
    if (home.id !== group.id) await this.move(manager, emit, { provisioner, users: removed, to: home, from: group.id });
  }

  private async joining(manager: EntityManager, accountId: string, ids: readonly string[]): Promise<string[]> {
    const broken = ids.find((id) => !isUuid(id));
    const rows = broken === undefined ? await movingUsers(manager, accountId, ids) : [];
    const found = new Set(rows.map(({ id }) => id));
    const unknown = broken ?? ids.find((id) => !found.has(id));
    if (unknown !== undefined) throw invalid('members', 'expected ids of users of this account.', unknown);
    const wide = rows.find(({ role }) => role !== 'Member');
    if (wide)
      throw new Fault(
        'permission_denied',
        `${wide.email} has the role ${wide.role}; SCIM moves only users with the role Member.`,
      );
    return [...ids];
  }

  private async move(manager: EntityManager, emit: Emit, { provisioner, users, to, from }: Move): Promise<void> {
    if (users.length === 0) return;
    const { accountId, audited } = provisioner;
    await lockUsers(manager, accountId, users);
    const found = await movingUsers(manager, accountId, users);
    // Somebody may have moved a user to another group meanwhile.
    const rows = from === undefined ? found : found.filter((row) => row.group_id === from);
    await moveUsers(
      manager,
      accountId,
      rows.map(({ id }) => id),
      to.id,
    );
    for (const row of rows) {
      emit(userChanged({ ...row, accountId }));
      emit(
        audited({
          action: 'user.move',
          target: targetOf(row),
          before: { group: row.group_name },
          after: { group: to.name },
        }),
      );
    }
    for (const groupId of new Set([to.id, ...(from ? [from] : []), ...rows.map((row) => row.group_id)]))
      emit(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId } } }));
  }
}

const targetOf = ({ id, name, email }: MovingRow) => ({ kind: 'user', id, name: name || email }) as const;

function wantedOf(current: ReadonlySet<string>, changes: readonly ScimMemberChange[]): Set<string> {
  let wanted = new Set(current);
  for (const { operation, users } of changes) {
    const ids = users.map((id) => id.toLowerCase());
    if (operation === ScimMemberOperation.REPLACE) wanted = new Set(ids);
    else if (operation === ScimMemberOperation.ADD) for (const id of ids) wanted.add(id);
    else for (const id of ids) wanted.delete(id);
  }
  return wanted;
}
