import { Not, type EntityManager } from 'typeorm';
import type { Emit } from '../contract/acting.ts';
import type { RoleName } from '../contract/enums.ts';
import { userChanged } from '../events/tenancy.event.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { UserEntity } from './user.entity.ts';

/** The two groups that a change of owner is about. */
export interface Places {
  accountId: string;
  owners: string;
  admins: string;
}

export async function placesOf(manager: EntityManager, accountId: string): Promise<Places> {
  const groups = await manager.findBy(GroupEntity, { accountId, isDefault: true });
  const idOf = (role: RoleName) => groups.find((group) => group.role === role)?.id ?? '';
  return { accountId, owners: idOf('Owner'), admins: idOf('Admin') };
}

/**
 * Makes the owners of an account its admins.
 * @param except the id of the owner who stays
 */
export async function retireOwners(
  manager: EntityManager,
  emit: Emit,
  { accountId, owners, admins }: Places,
  except: string,
): Promise<void> {
  const moved = await manager
    .createQueryBuilder()
    .update(UserEntity)
    .set({ groupId: admins })
    .where({ accountId, groupId: owners, id: Not(except) })
    .returning('id, email, status')
    .execute();
  for (const user of moved.raw as Pick<UserEntity, 'id' | 'email' | 'status'>[])
    emit(userChanged({ ...user, accountId }));
}
