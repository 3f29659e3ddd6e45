import { Fault } from '@warren/platform/errors/fault';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { AccountEntity } from './account.entity.ts';

/** What the lock prevents: `keep` its deletion, `change` other changes, `delete` additions to the account. */
const MODES = { keep: 'for_key_share', change: 'for_no_key_update', delete: 'pessimistic_write' } as const;

/**
 * Locks the account until the transaction ends. Call it before locking anything inside the account.
 * @throws Fault `not_found`
 */
export async function lockAccount(
  manager: EntityManager,
  id: string,
  mode: keyof typeof MODES,
): Promise<AccountEntity> {
  const lock = { mode: MODES[mode] };
  const account = isUuid(id) ? await manager.findOne(AccountEntity, { where: { id }, lock }) : null;
  if (!account) throw new Fault('not_found', `account ${id}.`);
  return account;
}

/**
 * Like the above, for changes that would lock all operators out of the operator account.
 * @param done what is done, as in 'disabled'
 * @throws Fault `failed_precondition` for the operator account
 */
export async function lockCustomer(
  manager: EntityManager,
  id: string,
  mode: 'change' | 'delete',
  done: string,
): Promise<AccountEntity> {
  const account = await lockAccount(manager, id, mode);
  if (account.operator) throw new Fault('failed_precondition', `${account.name} runs this hub and can't be ${done}.`);
  return account;
}
