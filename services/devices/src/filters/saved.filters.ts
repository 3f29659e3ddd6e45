import { IsNull, type EntityManager } from 'typeorm';
import { SavedFilterEntity } from './saved.filter.entity.ts';

const byName = (manager: EntityManager) =>
  manager.createQueryBuilder(SavedFilterEntity, 'f').orderBy('lower(f.name)').addOrderBy('f.id');

/** Reads the filters of a user, and those that an account shares, by name. */
export function readSaved(
  manager: EntityManager,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<SavedFilterEntity[]> {
  return byName(manager)
    .where([{ userId }, { userId: IsNull(), accountId }])
    .getMany();
}

/** Reads the filters that an account shares, by name. */
export function readShared(manager: EntityManager, accountId: string): Promise<SavedFilterEntity[]> {
  return byName(manager).where({ userId: IsNull(), accountId }).getMany();
}
