import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import type { Sql } from '@warren/platform/database/sql';
import { compileFilter, requireFilter } from './device.filter.ts';
import { matchesDevice } from './token.filter.sql.ts';

/** The filter that the caller's API token is limited to; empty for none. */
function tokenFilterOf({ kind }: Caller): string {
  return kind.case === 'user' ? (kind.value.token?.filter ?? '') : '';
}

/**
 * Requires that the caller's API token is for this device.
 * @param what names the device for the error
 * @throws Fault `not_found`, as for a device of another account
 */
export async function requireInToken(sql: Sql, caller: Caller, id: string, what: string): Promise<void> {
  const text = tokenFilterOf(caller);
  if (text === '') return;
  const values: unknown[] = [id];
  const condition = await compileFilter(sql, requireFilter(text), values);
  if (!(await matchesDevice(sql, condition, values))) throw new Fault('not_found', `${what}.`);
}
