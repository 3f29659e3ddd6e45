import { Fault } from '@warren/platform/errors/fault';
import type { EntityManager } from 'typeorm';
import type { UserRow } from './user.row.ts';

/** An arbitrary advisory lock key, the same in every replica: changes that remove a SuperAdmin are serialised. */
const LOCK = 0x5ad;

const OTHERS = `
  SELECT u.id FROM users u JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id
  WHERE g.role = 'SuperAdmin' AND u.status = 'Active' AND u.id <> $1
  LIMIT 1`;

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
  await manager.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  const others = await manager.query<unknown[]>(OTHERS, [row.id]);
  if (others.length === 0)
    throw new Fault('failed_precondition', `${row.email} is the last active SuperAdmin and can't be ${what}.`);
}
