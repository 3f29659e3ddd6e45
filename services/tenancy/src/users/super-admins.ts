import { lockByKey } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
import type { EntityManager } from 'typeorm';
import type { UserRow } from './user.row.ts';
import { hasOtherSuperAdmin } from './users.sql.ts';

/** An arbitrary advisory lock key, the same in every replica: changes that remove a SuperAdmin are serialised. */
const LOCK = 0x5ad;

/**
 * Before a user is disabled, moved or deleted: an active SuperAdmin must remain.
 * @param what becomes of the user, for the error
 * @throws Fault `failed_precondition`
 */
export async function requireAnotherSuperAdmin(
  manager: EntityManager,
  row: Pick<UserRow, 'id' | 'email' | 'role' | 'status'>,
  what: 'disabled' | 'moved' | 'deleted',
): Promise<void> {
  if (row.role !== 'SuperAdmin' || row.status !== 'Active') return;
  // Held until the end. What is read after it is what the one before has committed.
  await lockByKey(manager, LOCK);
  if (!(await hasOtherSuperAdmin(manager, row.id)))
    throw new Fault('failed_precondition', `${row.email} is the last active SuperAdmin and can't be ${what}.`);
}
