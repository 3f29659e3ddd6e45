import { prepared } from '@warren/platform/database/prepared';
import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import { listQuery } from './device-list.query.ts';
import { ListSource, type DeviceFilter, type DevicePage } from './device-list.source.ts';
import { DEVICE_COLUMNS, type DeviceRow, type SwitchColumn } from './device.row.ts';

const SELECT_DEVICE = `SELECT ${DEVICE_COLUMNS}, d.notes FROM devices d LEFT JOIN device_facts f ON f.device_id = d.id`;

/** Selects devices with the state of their account, the entry that they may replace, and other machines with their key. */
const SELECT_ONE_DEVICE = `
  SELECT ${DEVICE_COLUMNS}, o.id AS replaces_id, o.name AS replaces_name, NOT a.active AS account_disabled, d.notes,
    (SELECT jsonb_agg(to_jsonb(m) ORDER BY m.first_seen, m.serial) FROM device_machines m
     WHERE m.device_id = d.id AND m.separated_id IS NULL) AS machines
  FROM devices d LEFT JOIN device_facts f ON f.device_id = d.id LEFT JOIN accounts a ON a.id = d.account_id LEFT JOIN LATERAL (
    SELECT o.id, COALESCE(NULLIF(o.custom_name, ''), o.name) AS name FROM devices o
    WHERE o.account_id = d.account_id AND o.serial = d.serial AND o.created < d.created AND NOT o.connected
    ORDER BY o.created DESC LIMIT 1
  ) o ON true`;

/** A row of a page; `id` is null in the only row of a page without devices. */
export type ListRow = { total: number } & (DeviceRow | { id: null });

/** Reads a page of devices, and the number of all. */
export function readPage(sql: Sql, page: DevicePage): Promise<ListRow[]> {
  const query = listQuery(page);
  return sql.query(query.sql, query.values);
}

/** Counts the devices that a filter finds, and those of them that are connected. */
export async function countDevices(
  sql: Sql,
  filter: DeviceFilter,
): Promise<{ total: number; connected: number } | undefined> {
  const source = new ListSource(filter);
  const { from, expressions } = source.from([{ device: 'd.connected', narrow: 'n.connected' }]);
  const [row] = await sql.query<{ total: number; connected: number }[]>(
    `SELECT count(*)::int AS total, (count(*) FILTER (WHERE ${expressions.join('')}))::int AS connected ${from}`,
    source.values,
  );
  return row;
}

/** Finds a device by its id, or the newest one with a serial, in an account or (without one) in any. */
export async function findDevice(
  sql: Sql,
  by: { id: string } | { serial: string },
  accountId: string | undefined,
): Promise<DeviceRow | undefined> {
  const [term, value] = 'id' in by ? ['d.id = $1', by.id] : ['d.serial = $1', by.serial];
  const account = accountId === undefined ? '' : 'AND d.account_id = $2';
  const [row] = await sql.query<DeviceRow[]>(
    prepared(`${SELECT_ONE_DEVICE} WHERE ${term} ${account} ORDER BY d.created DESC, d.id DESC LIMIT 1`),
    accountId === undefined ? [value] : [value, accountId],
  );
  return row;
}

/** Finds a device by its id as {@link findDevice} does, in a transaction. */
export async function readDevice(
  manager: EntityManager,
  id: string,
  accountId: string | undefined,
): Promise<DeviceRow | undefined> {
  const [row] = await manager.query<DeviceRow[]>(
    `${SELECT_ONE_DEVICE} WHERE d.id = $1 AND ($2::uuid IS NULL OR d.account_id = $2)`,
    [id, accountId],
  );
  return row;
}

/** Reads a device alone: without the state of its account, the entry that it may replace and other machines with its key. */
export async function readOwn(manager: EntityManager, id: string): Promise<DeviceRow | undefined> {
  const [row] = await manager.query<DeviceRow[]>(`${SELECT_DEVICE} WHERE d.id = $1`, [id]);
  return row;
}

/** Reads devices of an account or (without one) of any, as {@link readOwn} does. */
export function readDevices(
  manager: EntityManager,
  ids: readonly string[],
  accountId: string | undefined,
): Promise<DeviceRow[]> {
  return manager.query(`${SELECT_DEVICE} WHERE d.id = ANY($1::uuid[]) AND ($2::uuid IS NULL OR d.account_id = $2)`, [
    ids,
    accountId,
  ]);
}

/** Locks devices of an account or (without one) of any; sorted by id, like all locks of several devices, to avoid deadlocks. */
export async function lockDevicesOf(
  manager: EntityManager,
  ids: readonly string[],
  accountId: string | undefined,
): Promise<void> {
  await manager.query(
    `SELECT FROM devices WHERE id = ANY($1::uuid[]) AND ($2::uuid IS NULL OR account_id = $2) ORDER BY id FOR UPDATE`,
    [ids, accountId],
  );
}

/** Writes columns of a device. */
export async function updateDevice(
  manager: EntityManager,
  id: string,
  columns: readonly (readonly [name: string, value: unknown])[],
): Promise<void> {
  const sets = columns.map(([name], index) => `${name} = $${index + 2}`).join();
  await manager.query(`UPDATE devices SET ${sets} WHERE id = $1`, [id, ...columns.map(([, value]) => value)]);
}

/** Turns the console or the web service of devices on or off. */
export async function updateSwitch(
  manager: EntityManager,
  ids: readonly string[],
  { column, enabled }: { column: SwitchColumn; enabled: boolean },
): Promise<void> {
  await manager.query(`UPDATE devices SET ${column} = $2 WHERE id = ANY($1::uuid[])`, [ids, enabled]);
}

export async function deleteDevice(manager: EntityManager, id: string): Promise<void> {
  await manager.query('DELETE FROM devices WHERE id = $1', [id]);
}

/**
 * Moves the key, aliases and serial of a new entry to an old one, and deletes the new one, whose id becomes an alias of the old.
 * @param name the display name that the old entry keeps: the name that it reports may have changed
 */
export async function mergeInto(
  manager: EntityManager,
  { oldId, freshId, name }: { oldId: string; freshId: string; name: string },
): Promise<void> {
  await manager.query('DELETE FROM device_keys WHERE device_id = $1', [oldId]);
  await manager.query('UPDATE device_keys SET device_id = $2 WHERE device_id = $1', [freshId, oldId]);
  await manager.query('UPDATE device_aliases SET device_id = $2 WHERE device_id = $1', [freshId, oldId]);
  await manager.query('INSERT INTO device_aliases (alias, device_id) VALUES ($1, $2)', [freshId, oldId]);
  await manager.query('DELETE FROM device_machines WHERE device_id = $1', [oldId]);
  await manager.query(
    `UPDATE devices SET custom_name = $2, serial = fresh.serial, serial_confirmed = fresh.serial_confirmed, clone_seen = NULL,
       key_shared = false
     FROM devices fresh WHERE devices.id = $1 AND fresh.id = $3`,
    [oldId, name, freshId],
  );
  await deleteDevice(manager, freshId);
}

/** The account of a device, with the names that people see. */
export interface AccountOfDevice {
  deviceId: string;
  accountId: string;
  name: string;
  accountName: string;
}

/** Reads the accounts of the devices that exist. */
export function readAccounts(sql: Sql, deviceIds: readonly string[]): Promise<AccountOfDevice[]> {
  return sql.query(
    prepared(`SELECT id AS "deviceId", account_id AS "accountId", account_name AS "accountName",
       COALESCE(NULLIF(custom_name, ''), name) AS name FROM devices WHERE id = ANY($1::uuid[])`),
    [deviceIds],
  );
}

/** What tunnels needs to know of a device when it links. */
export interface CredentialRow {
  /** The id that was asked for; `id` is what it resolves to. */
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

const SELECT_CREDENTIALS = `
  SELECT w.asked, d.id, k.public_key, d.account_id, COALESCE(NULLIF(d.custom_name, ''), d.name) AS name, d.ssh_enabled,
    d.http_enabled, d.vnc_ip, d.vnc_port, a.active, CASE WHEN d.serial_confirmed THEN d.serial ELSE '' END AS serial,
    d.key_shared AND NOT EXISTS (SELECT FROM device_machines m WHERE m.device_id = d.id) AS key_shared,
    ARRAY(SELECT m.serial FROM device_machines m WHERE m.device_id = d.id AND m.separate_since IS NOT NULL) AS separate_serials
  FROM unnest($1::uuid[]) AS w (asked) LEFT JOIN device_aliases n ON n.alias = w.asked
    JOIN devices d ON d.id = COALESCE(n.device_id, w.asked)
    JOIN device_keys k ON k.device_id = d.id JOIN accounts a ON a.id = d.account_id
  WHERE NOT a.deleted`;

/** Reads the credentials of the devices that ids resolve to. */
export function readCredentials(sql: Sql, ids: readonly string[]): Promise<CredentialRow[]> {
  return sql.query(SELECT_CREDENTIALS, [ids]);
}

/** The web service of a device. */
export type WebServiceRow = Pick<
  DeviceRow,
  | 'id'
  | 'account_id'
  | 'name'
  | 'custom_name'
  | 'http_enabled'
  | 'http_ip'
  | 'http_port'
  | 'http_host'
  | 'http_permissions'
  | 'private_ip'
> & { active: boolean };

const SELECT_WEB_SERVICE = `
  SELECT d.id, d.account_id, d.name, d.custom_name, d.http_enabled, d.http_ip, d.http_port, d.http_host, d.http_permissions, d.private_ip,
    a.active
  FROM devices d JOIN accounts a ON a.id = d.account_id
  WHERE d.slug = $1 AND NOT a.deleted`;

/** Reads the web service of the device with a slug. */
export async function readWebService(sql: Sql, slug: string): Promise<WebServiceRow | undefined> {
  const [row] = await sql.query<WebServiceRow[]>(SELECT_WEB_SERVICE, [slug]);
  return row;
}

/** Reads the device with a slug, in an account or (without one) in any. */
export async function readBySlug(
  sql: Sql,
  slug: string,
  accountId: string | undefined,
): Promise<DeviceRow | undefined> {
  const [row] = await sql.query<DeviceRow[]>(
    `${SELECT_DEVICE} WHERE d.slug = $1 ${accountId === undefined ? '' : 'AND d.account_id = $2'}`,
    accountId === undefined ? [slug] : [slug, accountId],
  );
  return row;
}
