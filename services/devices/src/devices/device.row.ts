import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { HttpHost, type DeviceSchema } from '@warren/proto/devices/v1/devices';

/** A device with its latest facts, as {@link SELECT_DEVICE} reads it; bigint columns come as text. */
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
  private_ip: string;
  public_ip: string;
  os: string;
  kernel: string;
  arch: string;
  model: string;
  agent_version: string;
  cpu_cores: number;
  total_ram: string;
  total_disk: string;
  created: Date;
  clone_seen: Date | null;
  cpu_usage: number | null;
  used_ram: string | null;
  used_disk: string | null;
  uptime_seconds: string | null;
  temperature: number | null;
  throttled: number | null;
  reported: Date | null;
  /** Of the older entry that it may be; read for one device alone. */
  replaces_id?: string | null;
  replaces_name?: string | null;
}

/** A device that is there tells its uptime seldom, and it grows on. One that came anew has told none yet, and may have been started anew. */
const UPTIME = `
  f.uptime_seconds + CASE WHEN d.connected AND f.reported >= d.status_since
    THEN GREATEST(0, EXTRACT(EPOCH FROM now() - f.reported))::bigint ELSE 0 END AS uptime_seconds`;

/** Of `devices d` and `device_facts f`. */
export const DEVICE_COLUMNS = `
  d.id, d.serial, d.slug, d.name, d.custom_name, d.account_id, d.account_name, d.connected, d.status_since,
  d.ssh_enabled, d.http_enabled, d.http_port, d.http_ip, d.http_host, d.vnc_ip, d.vnc_port, d.private_ip, d.public_ip, d.os, d.kernel, d.arch, d.model,
  d.agent_version, d.cpu_cores, d.total_ram, d.total_disk, d.created, d.clone_seen,
  f.cpu_usage, f.used_ram, f.used_disk, ${UPTIME}, f.temperature, f.throttled, f.reported`;

export const HTTP_HOST = { local: HttpHost.LOCAL, public: HttpHost.PUBLIC } as const;

export const SELECT_DEVICE = `SELECT ${DEVICE_COLUMNS} FROM devices d LEFT JOIN device_facts f ON f.device_id = d.id`;

/** For one device, with the entry that it may take the place of. */
export const SELECT_ONE_DEVICE = `
  SELECT ${DEVICE_COLUMNS}, o.id AS replaces_id, o.name AS replaces_name
  FROM devices d LEFT JOIN device_facts f ON f.device_id = d.id LEFT JOIN LATERAL (
    SELECT o.id, COALESCE(NULLIF(o.custom_name, ''), o.name) AS name FROM devices o
    WHERE o.account_id = d.account_id AND o.serial = d.serial AND o.created < d.created AND NOT o.connected
    ORDER BY o.created DESC LIMIT 1
  ) o ON true`;

/** @param domain the device domain, with its port if it has one */
export function asDevice(row: DeviceRow, domain: string): MessageInitShape<typeof DeviceSchema> {
  return {
    ...{ id: row.id, serial: row.serial, name: row.name, customName: row.custom_name },
    ...{ accountId: row.account_id, accountName: row.account_name },
    ...{ connected: row.connected, statusSince: timestampFromDate(row.status_since) },
    ...{ sshEnabled: row.ssh_enabled, httpEnabled: row.http_enabled, httpPort: row.http_port, httpIp: row.http_ip },
    ...{ vncIp: row.vnc_ip, vncPort: row.vnc_port },
    ...{ httpHost: HTTP_HOST[row.http_host], cloned: row.clone_seen !== null },
    ...{ httpAddress: `${row.slug}.${domain}`, publicIp: row.public_ip, created: timestampFromDate(row.created) },
    ...(row.replaces_id ? { replaces: { id: row.replaces_id, name: row.replaces_name ?? '' } } : {}),
    ...(row.reported ? { factsAt: timestampFromDate(row.reported) } : {}),
    facts: {
      ...{ hostname: row.name, privateIp: row.private_ip, cpuCores: row.cpu_cores, cpuUsage: row.cpu_usage ?? 0 },
      ...{ totalRam: BigInt(row.total_ram), usedRam: BigInt(row.used_ram ?? 0) },
      ...{ totalDisk: BigInt(row.total_disk), usedDisk: BigInt(row.used_disk ?? 0) },
      ...{ os: row.os, kernel: row.kernel, arch: row.arch, model: row.model, agentVersion: row.agent_version },
      uptimeSeconds: BigInt(row.uptime_seconds ?? 0),
      ...(row.temperature === null ? {} : { temperature: row.temperature }),
      ...(row.throttled === null ? {} : { throttled: row.throttled }),
    },
  };
}
