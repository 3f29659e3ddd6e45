import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { prepared } from '@warren/platform/database/prepared';
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
import { listQuery, whereOf, type DeviceFilter } from './device-list.query.ts';
import { asDevice, SELECT_ONE_DEVICE, type DeviceRow } from './device.row.ts';
import { scopeOf } from '../accounts/scope.ts';

export const DEVICE_DOMAIN = Symbol('DeviceDomain');

type ListRow = { total: number } & (DeviceRow | { id: null });
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
    const condition = await this.condition(request.filter);
    const { sql, values } = listQuery({ ...pageOf(request.page), accountId, sort: request.sort, ...condition });
    const rows = await this.source.query<ListRow[]>(sql, values);
    const devices = rows.flatMap((row) => (row.id === null ? [] : [asDevice(row, this.domain)]));
    return { devices, total: rows[0]?.total ?? 0 };
  }

  /** @throws Fault `not_found` when it is not there, or not in an account that the caller may see */
  async get(caller: Caller, { id }: { id: string }): Promise<Found> {
    const accountId = scopeOf(caller, '');
    const row = isUuid(id) ? await this.find('d.id = $1', id, accountId) : undefined;
    if (!row) throw new Fault('not_found', `device ${id}.`);
    return { device: asDevice(row, this.domain) };
  }

  /** The newest device with that serial; cloned disks can give several the same. */
  async getBySerial(caller: Caller, { serial }: { serial: string }): Promise<Found> {
    const accountId = scopeOf(caller, '');
    const row = serial.includes('\0') ? undefined : await this.find('d.serial = $1', serial, accountId);
    if (!row) throw new Fault('not_found', `device with the serial ${serial.slice(0, 128)}.`);
    return { device: asDevice(row, this.domain) };
  }

  /** How many devices the caller may see, and how many of them are connected. */
  async counts(
    caller: Caller,
    request: { accountId: string; filter?: string },
  ): Promise<MessageInitShape<typeof GetDeviceCountsResponseSchema>> {
    const accountId = scopeOf(caller, request.accountId);
    const { from, values } = whereOf({ accountId, pattern: undefined, ...(await this.condition(request.filter)) });
    const [row] = await this.source.query<{ total: number; connected: number }[]>(
      `SELECT count(*)::int AS total, (count(*) FILTER (WHERE d.connected))::int AS connected ${from}`,
      values,
    );
    return row ?? {};
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
    const rows = await this.source.query<CredentialRow[]>(SELECT_CREDENTIALS, [deviceIds.filter((id) => isUuid(id))]);
    return { credentials: rows.map((row) => credentialOf(row)) };
  }

  private async condition(text = ''): Promise<Pick<DeviceFilter, 'condition'>> {
    if (text.trim() === '') return {};
    const values: unknown[] = [];
    const compiled = await compileFilter(this.source, requireFilter(text), values);
    return { condition: { sql: compiled.sql, usesFacts: compiled.usesFacts, values } };
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
    const devices = await this.source.query<{ deviceId: string; accountId: string }[]>(
      prepared('SELECT id AS "deviceId", account_id AS "accountId" FROM devices WHERE id = ANY($1::uuid[])'),
      [deviceIds.filter((id) => isUuid(id))],
    );
    return { devices };
  }

  private async find(term: string, value: string, accountId: string | undefined): Promise<DeviceRow | undefined> {
    const account = accountId === undefined ? '' : 'AND d.account_id = $2';
    const [row] = await this.source.query<DeviceRow[]>(
      prepared(`${SELECT_ONE_DEVICE} WHERE ${term} ${account} ORDER BY d.created DESC, d.id DESC LIMIT 1`),
      accountId === undefined ? [value] : [value, accountId],
    );
    return row;
  }
}

/** Asked for in one call. */
const MAX_CREDENTIALS = 500;
const MAX_ACCOUNTS = 1_000;

interface CredentialRow {
  asked: string;
  id: string;
  public_key: Buffer;
  account_id: string;
  name: string;
  ssh_enabled: boolean;
  vnc_ip: string;
  vnc_port: number;
  http_enabled: boolean;
  active: boolean;
  serial: string;
  separate_serials: string[];
  key_shared: boolean;
}

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

const SELECT_CREDENTIALS = `
  SELECT w.asked, d.id, k.public_key, d.account_id, COALESCE(NULLIF(d.custom_name, ''), d.name) AS name, d.ssh_enabled,
    d.http_enabled, d.vnc_ip, d.vnc_port, a.active, CASE WHEN d.serial_confirmed THEN d.serial ELSE '' END AS serial,
    d.key_shared AND NOT EXISTS (SELECT FROM device_machines m WHERE m.device_id = d.id) AS key_shared,
    ARRAY(SELECT m.serial FROM device_machines m WHERE m.device_id = d.id AND m.separate_since IS NOT NULL) AS separate_serials
  FROM unnest($1::uuid[]) AS w (asked) LEFT JOIN device_aliases n ON n.alias = w.asked
    JOIN devices d ON d.id = COALESCE(n.device_id, w.asked)
    JOIN device_keys k ON k.device_id = d.id JOIN accounts a ON a.id = d.account_id
  WHERE NOT a.deleted`;
