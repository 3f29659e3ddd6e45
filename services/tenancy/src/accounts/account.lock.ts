import { Fault } from '@warren/platform/errors/fault';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { AccountEntity } from './account.entity.ts';

/** For what the account is locked: `keep` that it is not deleted, `change` that nobody else changes it, `delete` that nothing is added to it. */
const MODES = { keep: 'for_key_share', change: 'for_no_key_update', delete: 'pessimistic_write' } as const;

/**
 * The account, locked until this transaction ends. It comes before the locks of what is in it.
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
 * The same for what can't be done to the operator account, so that nobody locks everybody out.
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
