import type { EntityManager } from 'typeorm';
import type { AccountEntity } from '../accounts/account.entity.ts';

/** An account that devices are added to. */
export type HeldAccount = Pick<AccountEntity, 'id' | 'name' | 'active' | 'operator' | 'quotas'>;

/** `account_id` and `n`: the number of devices of each account that has any. */
export const DEVICES_OF_ACCOUNTS = 'SELECT account_id, count(*) AS n FROM devices GROUP BY account_id';

/** Locks an account against other new devices until the transaction ends. @returns undefined for a deleted account */
export async function lockAccount(manager: EntityManager, id: string): Promise<HeldAccount | undefined> {
  const [account] = await manager.query<HeldAccount[]>(
    'SELECT id, name, active, operator, quotas FROM accounts WHERE id = $1 AND NOT deleted FOR NO KEY UPDATE',
    [id],
  );
  return account;
}

/** Counts the devices of an account. */
export async function countDevicesOf(manager: EntityManager, accountId: string): Promise<number> {
  const [row] = await manager.query<{ n: number }[]>('SELECT count(*)::int AS n FROM devices WHERE account_id = $1', [
    accountId,
  ]);
  return row?.n ?? 0;
}

/** Tells whether an account has exactly one device with a serial, and that one is not connected. */
export async function hasOneAway(manager: EntityManager, accountId: string, serial: string): Promise<boolean> {
  const rows = await manager.query<{ connected: boolean }[]>(
    'SELECT connected FROM devices WHERE account_id = $1 AND serial = $2 LIMIT 2',
    [accountId, serial],
  );
  return rows.length === 1 && rows[0]?.connected === false;
}
