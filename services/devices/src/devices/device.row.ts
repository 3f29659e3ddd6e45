import { fromJson, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { DeviceRight } from '@warren/platform/policy/device.access';
import { FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { HttpHost, WebPermission, type DeviceSchema, type MachineSchema } from '@warren/proto/devices/v1/devices';
import { WEB_PERMISSIONS, type WebPermissionName } from '@warren/rules/devices';
import type { DeviceFacts } from '@warren/rules/facts';
import { FACTS_OF_DEVICE } from '../facts/former.columns.ts';

const PERMISSIONS: Record<WebPermissionName, WebPermission> = {
  'clipboard-read': WebPermission.CLIPBOARD_READ,
  camera: WebPermission.CAMERA,
  microphone: WebPermission.MICROPHONE,
  geolocation: WebPermission.GEOLOCATION,
  'top-navigation': WebPermission.TOP_NAVIGATION,
};

export function asPermissions(names: readonly WebPermissionName[]): WebPermission[] {
  return names.map((name) => PERMISSIONS[name]);
}

/** Converts permissions for the column: each once, in a fixed order, unknown ones left out. */
export function permissionColumn(permissions: readonly WebPermission[]): WebPermissionName[] {
  return WEB_PERMISSIONS.filter((name) => permissions.includes(PERMISSIONS[name]));
}

/** The columns of a device's switches: console, and web service. */
export type SwitchColumn = 'ssh_enabled' | 'http_enabled';

/** A device with its latest facts, as {@link DEVICE_COLUMNS} read it; bigint columns come as text. */
export interface DeviceRow {
  id: string;
  serial: string;
  slug: string;
  name: string;
  custom_name: string;
  account_id: string;
  account_name: string;
  connected: boolean;
  status_since: Date;
  ssh_enabled: boolean;
  http_enabled: boolean;
  http_port: number;
  http_ip: string;
  vnc_ip: string;
  vnc_port: number;
  http_host: 'local' | 'public';
  http_permissions: WebPermissionName[];
  private_ip: string;
  public_ip: string;
  agent_version: string;
  created: Date;
  clone_seen: Date | null;
  facts: Partial<DeviceFacts>;
  /** Seconds to add to the uptime. */
  facts_age: string;
  reported: Date | null;
  /** The older entry that this device may replace; read for single devices only. */
  replaces_id?: string | null;
  replaces_name?: string | null;
  account_disabled?: boolean | null;
  machines?: MachineJson[] | null;
  machine_waits: boolean;
  labels: Record<string, string> | null;
  /** Not read for lists. */
  notes?: string;
}

/** A row of `device_machines` as JSON. */
interface MachineJson {
  serial: string;
  model: string;
  public_ip: string;
  first_seen: string;
  last_seen: string;
  separate_since: string | null;
}

/** A connected device reports its uptime rarely, so its age is added. After a reconnect none counts until the first report: it may have rebooted. */
const FACTS_AGE = `
  CASE WHEN d.connected AND f.reported >= d.status_since
    THEN GREATEST(0, EXTRACT(EPOCH FROM now() - f.reported))::bigint ELSE 0 END AS facts_age`;

/** Of `devices d` and `device_facts f`. */
export const DEVICE_COLUMNS = `
  d.id, d.serial, d.slug, d.name, d.custom_name, d.account_id, d.account_name, d.connected, d.status_since,
  d.ssh_enabled, d.http_enabled, d.http_port, d.http_ip, d.http_host, d.http_permissions, d.vnc_ip, d.vnc_port,
  d.private_ip, d.public_ip, d.agent_version, d.created, d.clone_seen,
  EXISTS (SELECT FROM device_machines m WHERE m.device_id = d.id AND m.separate_since IS NULL) AS machine_waits,
  (SELECT jsonb_object_agg(l.key, l.value) FROM device_labels l WHERE l.device_id = d.id) AS labels,
  ${FACTS_OF_DEVICE} AS facts, ${FACTS_AGE}, f.reported`;

export const HTTP_HOST = { local: HttpHost.LOCAL, public: HttpHost.PUBLIC } as const;

/**
 * @param domain the device domain, with its port if it has one
 * @param rights what the caller may do with the device
 */
export function asDevice(
  row: DeviceRow,
  domain: string,
  rights: readonly DeviceRight[],
): MessageInitShape<typeof DeviceSchema> {
  return {
    rights: [...rights],
    id: row.id,
    serial: row.serial,
    name: row.name,
    customName: row.custom_name,
    accountId: row.account_id,
    accountName: row.account_name,
    connected: row.connected,
    statusSince: timestampFromDate(row.status_since),
    sshEnabled: row.ssh_enabled,
    httpEnabled: row.http_enabled,
    httpPort: row.http_port,
    httpIp: row.http_ip,
    httpPermissions: asPermissions(row.http_permissions),
    vncIp: row.vnc_ip,
    vncPort: row.vnc_port,
    httpHost: HTTP_HOST[row.http_host],
    cloned: row.clone_seen !== null,
    httpAddress: `${row.slug}.${domain}`,
    publicIp: row.public_ip,
    created: timestampFromDate(row.created),
    ...(row.replaces_id ? { replaces: { id: row.replaces_id, name: row.replaces_name ?? '' } } : {}),
    machineWaits: row.machine_waits,
    labels: row.labels ?? {},
    notes: row.notes ?? '',
    machines: (row.machines ?? []).map(asMachine),
    ...(row.account_disabled ? { accountDisabled: true } : {}),
    ...(row.reported ? { factsAt: timestampFromDate(row.reported) } : {}),
    facts: asFacts(row),
  };
}

function asFacts(row: DeviceRow): Facts {
  const facts = fromJson(FactsSchema, row.facts, { ignoreUnknownFields: true });
  facts.uptimeSeconds += BigInt(row.facts_age);
  return Object.assign(facts, { hostname: row.name, privateIp: row.private_ip, agentVersion: row.agent_version });
}

function asMachine(row: MachineJson): MessageInitShape<typeof MachineSchema> {
  return {
    serial: row.serial,
    model: row.model,
    publicIp: row.public_ip,
    separates: row.separate_since !== null,
    firstSeen: timestampFromDate(new Date(row.first_seen)),
    lastSeen: timestampFromDate(new Date(row.last_seen)),
  };
}
