import type { Sql } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
import { has, liveGrants, rightsOn, type DeviceRight } from '@warren/platform/policy/device.access';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { DevicePermission, type UserCaller } from '@warren/proto/common/v1/common';
import { withinToken } from '../filters/token.filter.ts';
import { matchFilters } from './grants.sql.ts';

/** A device and its account. */
interface Placed {
  id: string;
  account_id: string;
}

/**
 * Decides what a user may do with devices: by role, and by the grants whose filter holds for them. A token that is limited to some devices
 * may do nothing with others.
 */
export async function rightsOf(
  sql: Sql,
  user: UserCaller,
  devices: readonly Placed[],
): Promise<Map<string, DeviceRight[]>> {
  const grants = liveGrants(user);
  const { accountId } = user;
  const within = await withinToken(sql, user, devices);
  const own = grants.length === 0 ? [] : devices.filter((device) => device.account_id === accountId);
  const ids = own.map(({ id }) => id);
  const found = ids.length === 0 ? undefined : await matchFilters(sql, { filters: grants, accountId, ids });
  return new Map(
    devices.map(({ id, account_id: account }) => {
      if (within && !within.has(id)) return [id, []];
      const places = new Set(found?.get(id));
      const matching = grants.filter((_, place) => places.has(place));
      return [id, rightsOn(user, account, matching)];
    }),
  );
}

/**
 * What a caller may do with a device that they may view, and that their API token is for.
 * @throws Fault `not_found` if they may not
 */
export async function viewableRights(sql: Sql, caller: Caller, device: Placed | undefined, what: string) {
  const rights = device && (await rightsOf(sql, requireUser(caller), [device])).get(device.id);
  if (!device || !rights || !has(rights, DevicePermission.VIEW)) throw new Fault('not_found', `${what}.`);
  return rights;
}
