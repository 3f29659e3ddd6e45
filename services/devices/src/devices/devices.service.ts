import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import { isRestricted } from '@warren/platform/policy/policy';
import { requireService, requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import {
  DeviceSort,
  type DeviceSchema,
  type GetDeviceCountsResponseSchema,
  type DeviceCredentialSchema,
  type GetDeviceCredentialsResponseSchema,
  type ListDevicesResponseSchema,
} from '@warren/proto/devices/v1/devices';
import { isLabelKey } from '@warren/rules/labels';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { rightsOf, viewableRights } from '../access/rights.ts';
import { filterIn, scopeOf } from '../access/scope.ts';
import { triesFirst } from './device-list.source.ts';
import { asDevice, type DeviceRow } from './device.row.ts';
import {
  countDevices,
  findDevice,
  readAccounts,
  readCredentials,
  readPage,
  type AccountOfDevice,
  type CredentialRow,
} from './devices.sql.ts';

export const DEVICE_DOMAIN = Symbol('DeviceDomain');

type Found = { device: MessageInitShape<typeof DeviceSchema> };

/** The inventory. */
@Injectable()
export class DevicesService {
  constructor(
    private readonly source: DataSource,
    @Inject(DEVICE_DOMAIN) private readonly domain: string,
  ) {}

  /**
   * A page of the devices that the caller may see, in an account or (with an empty `accountId`) in all.
   * @throws Fault `invalid_argument` for the filter, or the key of the label to sort by
   */
  async list(
    caller: Caller,
    request: { page?: PageRequest; accountId: string; sort: DeviceSort; sortLabel?: string; filter?: string },
  ): Promise<MessageInitShape<typeof ListDevicesResponseSchema>> {
    const scope = scopeOf(caller, request.accountId);
    const { sort, sortLabel: label = '' } = request;
    const page = { ...pageOf(request.page), sort, label };
    const filter = await filterIn(this.source, scope, request.filter, triesFirst({ ...page, ...scope }));
    if (sort === DeviceSort.LABEL && !isLabelKey(label))
      throw invalidInput({ field: 'sort', message: 'expected the key of a label.', value: shownValue(label) });
    const rows = await readPage(this.source, { ...page, ...filter });
    const found = rows.filter((row): row is typeof row & DeviceRow => row.id !== null);
    const rights = await rightsOf(this.source, scope.user, found);
    const devices = found.map((row) => asDevice(row, this.domain, rights.get(row.id) ?? []));
    return { devices, total: rows[0]?.total ?? 0 };
  }

  /** @throws Fault `not_found` when it is not there, or the caller may not view it */
  async get(caller: Caller, { id }: { id: string }): Promise<Found> {
    const { accountId } = scopeOf(caller, '');
    const row = isUuid(id) ? await findDevice(this.source, { id }, accountId) : undefined;
    return this.found(caller, row, `device ${id}`);
  }

  /** The newest device with that serial; cloned disks can give several the same. */
  async getBySerial(caller: Caller, { serial }: { serial: string }): Promise<Found> {
    const { accountId } = scopeOf(caller, '');
    const row = serial.includes('\0') ? undefined : await findDevice(this.source, { serial }, accountId);
    return this.found(caller, row, `device with the serial ${serial.slice(0, 128)}`);
  }

  private async found(caller: Caller, row: DeviceRow | undefined, what: string): Promise<Found> {
    const rights = await viewableRights(this.source, caller, row, what);
    if (!row) throw new Fault('not_found', `${what}.`);
    // The older entry may be one that no grant shows.
    const shown = isRestricted(requireUser(caller)) ? { ...row, replaces_id: null } : row;
    return { device: asDevice(shown, this.domain, rights) };
  }

  /** How many devices the caller may see, and how many of them are connected. */
  async counts(
    caller: Caller,
    request: { accountId: string; filter?: string },
  ): Promise<MessageInitShape<typeof GetDeviceCountsResponseSchema>> {
    const filter = await filterIn(this.source, scopeOf(caller, request.accountId), request.filter);
    return (await countDevices(this.source, { pattern: undefined, ...filter })) ?? {};
  }

  /** Tunnels only. A device of a disabled account may stay linked, but its console is off. */
  async credentials(
    caller: Caller,
    { deviceIds }: { deviceIds: string[] },
  ): Promise<MessageInitShape<typeof GetDeviceCredentialsResponseSchema>> {
    requireService(caller, 'tunnels');
    if (deviceIds.length > MAX_CREDENTIALS) {
      const message = `${deviceIds.length} came, at most ${MAX_CREDENTIALS} were expected.`;
      throw invalidInput({ field: 'device_ids', message });
    }
    const ids = deviceIds.filter((id) => isUuid(id));
    const rows = await readCredentials(this.source, ids);
    return { credentials: rows.map((row) => credentialOf(row)) };
  }

  /** Fleet only. Devices that do not exist are left out. */
  async accountsOf(caller: Caller, { deviceIds }: { deviceIds: string[] }): Promise<{ devices: AccountOfDevice[] }> {
    requireService(caller, 'fleet');
    if (deviceIds.length > MAX_ACCOUNTS) {
      const message = `${deviceIds.length} came, at most ${MAX_ACCOUNTS} were expected.`;
      throw invalidInput({ field: 'device_ids', message });
    }
    const ids = deviceIds.filter((id) => isUuid(id));
    return { devices: await readAccounts(this.source, ids) };
  }
}

/** Asked for in one call. */
const MAX_CREDENTIALS = 500;
const MAX_ACCOUNTS = 1_000;

function credentialOf(row: CredentialRow): MessageInitShape<typeof DeviceCredentialSchema> {
  return {
    deviceId: row.asked,
    currentId: row.id,
    publicKey: row.public_key,
    accountId: row.account_id,
    name: row.name,
    sshEnabled: row.ssh_enabled && row.active,
    vncIp: row.vnc_ip,
    vncPort: row.vnc_port,
    httpEnabled: row.http_enabled && row.active,
    accountDisabled: !row.active,
    serial: row.serial,
    separateSerials: row.separate_serials,
    keyShared: row.key_shared,
  };
}
