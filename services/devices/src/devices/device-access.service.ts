import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { has } from '@warren/platform/policy/device.access';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { DevicePermission, type UserCaller } from '@warren/proto/common/v1/common';
import type { CheckDeviceAccessResponseSchema, FilterSet } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { readAccounts, readDevice } from './devices.sql.ts';
import { matchFilters } from '../access/grants.sql.ts';
import { ReachSlots } from '../access/reach.slots.ts';
import { countReach } from '../access/reach.sql.ts';
import { rightsOf } from '../access/rights.ts';

const MOST_DEVICES = 1_000;
const MOST_FILTERS = 200;
const MOST_SETS = 1_024;

/** Who may do what with which devices. */
@Injectable()
export class AccessService {
  private readonly slots = new ReachSlots();

  constructor(private readonly source: DataSource) {}

  /** Tunnels, fleet and identity only, which have the user as tenancy knows them now. Leaves out what the user may not view. */
  async check(
    caller: Caller,
    { user, deviceIds }: { user?: UserCaller; deviceIds: string[] },
  ): Promise<MessageInitShape<typeof CheckDeviceAccessResponseSchema>> {
    requireService(caller, 'tunnels', 'fleet', 'identity');
    requireAtMost('device_ids', deviceIds.length, MOST_DEVICES);
    if (!user) throw invalidInput({ field: 'user', message: 'expected a user.' });
    const accounts = await readAccounts(
      this.source,
      deviceIds.filter((id) => isUuid(id)),
    );
    const placed = accounts.map(({ deviceId: id, accountId: account_id }) => ({ id, account_id }));
    const rights = await rightsOf(this.source, user, placed);
    const devices = accounts.map((one) => ({ ...one, rights: rights.get(one.deviceId) ?? [] }));
    return { devices: devices.filter((device) => has(device.rights, DevicePermission.VIEW)) };
  }

  /** Tells which filters hold for a device. @throws Fault `not_found`, `permission_denied`, `invalid_argument` */
  async match(
    caller: Caller,
    { deviceId, filters }: { deviceId: string; filters: string[] },
  ): Promise<{ matches: boolean[] }> {
    requireAtMost('filters', filters.length, MOST_FILTERS);
    const row = isUuid(deviceId) ? await readDevice(this.source.manager, deviceId, sightOf(caller)) : undefined;
    if (!row) throw new Fault('not_found', `device ${deviceId}.`);
    requireMay(caller, 'grants.read', row.account_id, `device ${deviceId}`);
    if (filters.length === 0) return { matches: [] };
    const of = { filters: filters.map((filter) => ({ filter })), accountId: row.account_id, ids: [deviceId] };
    const places = (await matchFilters(this.source, of)).get(deviceId);
    return { matches: filters.map((_, place) => places?.includes(place) ?? false) };
  }

  /** Counts the devices of an account that any filter of each set finds. @throws Fault as {@link match}, `resource_exhausted`, `deadline_exceeded` */
  async countReach(
    caller: Caller,
    { accountId, filters, sets }: { accountId: string; filters: string[]; sets: FilterSet[] },
  ): Promise<{ counts: number[]; total: number }> {
    requireMay(caller, 'grants.read', accountId);
    if (!isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
    requireAtMost('filters', filters.length, MOST_FILTERS);
    requireAtMost('sets', sets.length, MOST_SETS);
    for (const [index, { places }] of sets.entries())
      if (places.length > filters.length || places.some((place) => place >= filters.length))
        throw invalidInput({ field: `sets.${index}`, message: `expected places in ${filters.length} filters.` });
    const reach = { accountId, filters, sets: sets.map(({ places }) => places) };
    return this.slots.hold(accountId, () => countReach(this.source, reach));
  }
}

function requireAtMost(field: string, came: number, most: number): void {
  if (came > most) throw invalidInput({ field, message: `${came} came, at most ${most} were expected.` });
}
