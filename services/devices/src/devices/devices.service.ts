import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import type {
  DeviceSchema,
  DeviceSort,
  GetDeviceCountsResponseSchema,
  DeviceCredentialSchema,
  GetDeviceCredentialsResponseSchema,
  ListDevicesResponseSchema,
} from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { compileFilter, requireFilter } from '../filters/device.filter.ts';
import type { FilterSql } from '../filters/filter.sql.ts';
import { requireInToken, tokenFilterOf } from '../filters/token.filter.ts';
import type { DeviceFilter } from './device-list.query.ts';
import { asDevice } from './device.row.ts';
import {
  countDevices,
  findDevice,
  readAccounts,
  readCredentials,
  readPage,
  type CredentialRow,
} from './devices.sql.ts';
import { scopeOf } from '../accounts/scope.ts';

export const DEVICE_DOMAIN = Symbol('DeviceDomain');

type Found = { device: MessageInitShape<typeof DeviceSchema> };

/** The inventory. */
@Injectable()
export class DevicesService {
  constructor(
    private readonly source: DataSource,
    @Inject(DEVICE_DOMAIN) private readonly domain: string,
  ) {}

  /** A page of the devices that the caller may see, in an account or (with an empty `accountId`) in all. */
  async list(
    caller: Caller,
    request: { page?: PageRequest; accountId: string; sort: DeviceSort; filter?: string },
  ): Promise<MessageInitShape<typeof ListDevicesResponseSchema>> {
    const accountId = scopeOf(caller, request.accountId);
    const condition = await this.condition(caller, request.filter);
    const page = { ...pageOf(request.page), accountId, sort: request.sort, ...condition };
    const rows = await readPage(this.source, page);
    const devices = rows.flatMap((row) => (row.id === null ? [] : [asDevice(row, this.domain)]));
    return { devices, total: rows[0]?.total ?? 0 };
  }

  /** @throws Fault `not_found` when it is not there, or not in an account that the caller may see */
  async get(caller: Caller, { id }: { id: string }): Promise<Found> {
    const accountId = scopeOf(caller, '');
    const row = isUuid(id) ? await findDevice(this.source, { id }, accountId) : undefined;
    if (!row) throw new Fault('not_found', `device ${id}.`);
    await requireInToken(this.source, caller, id, `device ${id}`);
    return { device: asDevice(row, this.domain) };
  }

  /** The newest device with that serial; cloned disks can give several the same. */
  async getBySerial(caller: Caller, { serial }: { serial: string }): Promise<Found> {
    const accountId = scopeOf(caller, '');
    const row = serial.includes('\0') ? undefined : await findDevice(this.source, { serial }, accountId);
    const what = `device with the serial ${serial.slice(0, 128)}`;
    if (!row) throw new Fault('not_found', `${what}.`);
    await requireInToken(this.source, caller, row.id, what);
    return { device: asDevice(row, this.domain) };
  }

  /** How many devices the caller may see, and how many of them are connected. */
  async counts(
    caller: Caller,
    request: { accountId: string; filter?: string },
  ): Promise<MessageInitShape<typeof GetDeviceCountsResponseSchema>> {
    const accountId = scopeOf(caller, request.accountId);
    const filter = { accountId, pattern: undefined, ...(await this.condition(caller, request.filter)) };
    return (await countDevices(this.source, filter)) ?? {};
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

  /** The condition of a request's filter, and of that of the caller's API token. */
  private async condition(caller: Caller, text = ''): Promise<Pick<DeviceFilter, 'condition'>> {
    const texts = [tokenFilterOf(caller), text].filter((one) => one.trim() !== '');
    if (texts.length === 0) return {};
    const values: unknown[] = [];
    const compiled: FilterSql[] = [];
    for (const one of texts) compiled.push(await compileFilter(this.source, requireFilter(one), values));
    const sql = compiled.map((one) => one.sql).join(' AND ');
    return { condition: { sql, usesFacts: compiled.some(({ usesFacts }) => usesFacts), values } };
  }

  /** Fleet only. Devices that do not exist are left out. */
  async accountsOf(
    caller: Caller,
    { deviceIds }: { deviceIds: string[] },
  ): Promise<{ devices: { deviceId: string; accountId: string }[] }> {
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
