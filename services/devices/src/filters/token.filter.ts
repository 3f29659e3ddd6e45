import type { Sql } from '@warren/platform/database/sql';
import type { UserCaller } from '@warren/proto/common/v1/common';
import { compileFilter, requireFilter } from './device.filter.ts';
import { matchingDevices } from './token.filter.sql.ts';

/** Returns the devices among these that the user's API token is for; undefined for a user or a token without a filter. */
export async function withinToken(
  sql: Sql,
  { token }: Pick<UserCaller, 'token'>,
  devices: readonly { id: string; account_id: string }[],
): Promise<ReadonlySet<string> | undefined> {
  if (!token || token.filter === '') return undefined;
  const values: unknown[] = [devices.map(({ id }) => id)];
  const accountIds = [...new Set(devices.map(({ account_id: account }) => account))];
  const use = { accountIds, values, ofFew: true };
  const condition = await compileFilter(sql, requireFilter(token.filter), use);
  return new Set(await matchingDevices(sql, condition, values));
}
