import type { FieldName } from '@warren/rules/filter/fields';
import { FAILED_UPDATES } from './failed.updates.sql.ts';

/** What filters compare, over the rows that they read. */
export interface Columns {
  id: string;
  account: string;
  connected: string;
  everConnected: string;
  since: string;
  created: string;
  console: string;
  web: string;
  numbers: Partial<Record<FieldName, string>>;
}

/** What devices report all the time: only `narrow_devices n` has it. Their agents report the uptime rarely, so the time since counts too;
 * what a device reported before it went says nothing. */
const REPORTED: Partial<Record<FieldName, string>> = {
  uptime: `n.uptime + CASE WHEN n.connected AND n.reported >= n.status_since
    THEN GREATEST(0, date_part('epoch', now() - n.reported)) ELSE 0 END`,
  cpu: 'n.cpu',
  memory: 'n.memory',
  disk: 'n.disk',
  load: 'n.load',
  clock: 'abs(n.clock_offset)',
  temperature: 'n.temperature',
};

/** Whether a field is one that devices report all the time. */
export const isReported = (field: FieldName): boolean => field in REPORTED || field === 'throttled';

/** Of `narrow_devices n`. */
export const OF_NARROW: Columns = {
  id: 'n.id',
  account: 'n.account_id',
  connected: 'n.connected',
  everConnected: 'n.ever_connected',
  since: 'n.status_since',
  created: 'n.created',
  console: 'n.console',
  web: 'n.web',
  numbers: { ...REPORTED, cores: 'n.cores', ram: 'n.ram', disk_size: 'n.disk_size' },
};

/** Of `devices d`. Every link has an epoch. */
export const OF_DEVICES: Columns = {
  id: 'd.id',
  account: 'd.account_id',
  connected: 'd.connected',
  everConnected: '(d.connected OR d.connection_epoch <> 0)',
  since: 'd.status_since',
  created: 'd.created',
  console: 'd.ssh_enabled',
  web: 'd.http_enabled',
  numbers: {
    ...REPORTED,
    cores: 'NULLIF(d.cpu_cores, 0)',
    ram: 'NULLIF(d.total_ram, 0)',
    disk_size: 'NULLIF(d.total_disk, 0)',
  },
};

/** Texts of `devices d` that `search_text` and its index have too. */
export const SEARCHED: Partial<Record<FieldName, readonly string[]>> = {
  name: [`CASE WHEN d.custom_name = '' THEN d.name ELSE d.custom_name END`],
  serial: ['d.serial'],
  address: ['d.private_ip', 'd.public_ip'],
};

/** What is true for the choice that is named. */
export function choicesOf(columns: Columns): Partial<Record<FieldName, { sql: string; yes: string }>> {
  return {
    status: { sql: columns.connected, yes: 'connected' },
    console: { sql: columns.console, yes: 'on' },
    web: { sql: columns.web, yes: 'on' },
    failed_update: { sql: `${columns.id} IN (SELECT u.device_id FROM (${FAILED_UPDATES}) u)`, yes: 'yes' },
  };
}
