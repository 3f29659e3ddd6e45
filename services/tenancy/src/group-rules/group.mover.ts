import { newEvent } from '@warren/platform/events/event';
import type { EntityManager } from 'typeorm';
import type { Emit } from '../contract/acting.ts';
import { userChanged } from '../events/tenancy.event.ts';
import { HOME_GROUPS } from '../groups/default-groups.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { moveUsers, type MovingRow } from '../users/moves.sql.ts';

/** Finds the group of users whom nobody put elsewhere. */
export function homeOf(manager: EntityManager, accountId: string): Promise<GroupEntity> {
  return manager.findOneByOrFail(GroupEntity, { accountId, name: HOME_GROUPS.Member, isDefault: true });
}

/** Moves locked users to a group. The events end within 2 s what the former group allowed. */
export async function moveTo(
  manager: EntityManager,
  emit: Emit,
  accountId: string,
  rows: readonly MovingRow[],
  groupId: string,
): Promise<void> {
  if (rows.length === 0) return;
  await moveUsers(
    manager,
    accountId,
    rows.map(({ id }) => id),
    groupId,
  );
  for (const row of rows) emit(userChanged({ ...row, accountId }));
  for (const id of new Set([groupId, ...rows.map((row) => row.group_id)]))
    emit(newEvent({ accountId, kind: { case: 'groupChanged', value: { groupId: id } } }));
}
