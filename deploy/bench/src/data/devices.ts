import { pick, SCALE, scaleAccountName, scaleAccountOf, scaleId } from './data-set.ts';
import type { Fill } from './fill.ts';

const USES = ['kiosk', 'gateway', 'camera', 'sensor', 'display', 'meter', 'player', 'router', 'press', 'pump'];
const MODELS = ['Raspberry Pi 4', 'Raspberry Pi 5', 'Raspberry Pi Zero 2 W', 'Intel NUC'];
const SITES = ['north', 'south', 'east', 'west', 'harbour', 'depot', 'lab', 'plant-1', 'plant-2', 'plant-3'];
const RINGS = ['stable', 'stable', 'stable', 'canary'];
const VERSIONS = ['0.1.0', '0.1.0', '0.1.1', '0.2.0-rc.1', '0.2.0'];
const SYSTEMS = ['Debian GNU/Linux 12 (bookworm)', 'Debian GNU/Linux 13 (trixie)', 'Ubuntu 24.04.1 LTS'];
const account = scaleAccountOf('n');
const values = `${pick(SYSTEMS, 'n / 7')}, '6.6.31', 'arm64', ${pick(MODELS, 'n')}`;

/** The devices for the bench of lists; none of them can dial. */
export const devicesData: readonly Fill[] = [
  {
    table: 'accounts',
    rows: SCALE.accounts,
    columns: 'id, name, active, operator, as_of',
    // Older than every event about the account.
    values: `${scaleId('account', 'n')}, ${scaleAccountName('n')}, n % 20 <> 0, false, '-infinity'`,
  },
  {
    table: 'devices',
    rows: SCALE.devices,
    columns: `id, account_id, account_name, connected, serial, slug, name, custom_name, private_ip, public_ip, os, kernel,
        arch, model, agent_version, cpu_cores, total_ram, total_disk, created, status_since`,
    // No replica has their links, so the reconciler would disconnect them.
    values: `${scaleId('device', 'n')}, ${scaleId('account', account)}, ${scaleAccountName(`(${account})`)}, false,
        substr(md5(n::text), 1, 16), 'scale-' || n, ${pick(USES, 'n / 3')} || '-' || n,
        CASE WHEN n % 5 = 0 THEN 'Hall ' || n % 97 || ' ' || ${pick(USES, 'n / 5')} ELSE '' END,
        '10.' || n / 65536 || '.' || (n / 256) % 256 || '.' || n % 256, '203.0.113.' || n % 256,
        ${values}, ${pick(VERSIONS, 'n / 11')}, 4, 4294967296, 34359738368,
        now() - n * interval '1 minute', now() - (n % 2000) * interval '1 hour'`,
  },
  {
    table: 'device_facts',
    rows: SCALE.devices,
    // The former columns must not be null until they are dropped.
    columns: 'device_id, cpu_usage, used_ram, used_disk, uptime_seconds, temperature, reported, facts_at, facts',
    values: `${scaleId('device', 'n')}, n % 100, 42949672 * (n % 97), 343597383 * (n % 89), n, 40 + n % 45, now(), now(),
        jsonb_build_object('cpu_cores', 4, 'cpu_usage', n % 100, 'total_ram', 4294967296, 'used_ram', 42949672 * (n % 97),
        'total_disk', 34359738368, 'used_disk', 343597383 * (n % 89), 'os', ${pick(SYSTEMS, 'n / 7')}, 'kernel', '6.6.31',
        'arch', 'arm64', 'model', ${pick(MODELS, 'n')}, 'uptime_seconds', n, 'temperature', 40 + n % 45)`,
  },
  {
    table: 'device_labels',
    rows: SCALE.devices,
    columns: 'device_id, key, value',
    values: `${scaleId('device', 'n')}, 'site', ${pick(SITES, 'n / 13')}`,
  },
  {
    table: 'device_labels',
    rows: SCALE.devices,
    columns: 'device_id, key, value',
    values: `${scaleId('device', 'n')}, 'ring', ${pick(RINGS, 'n / 17')}`,
  },
  {
    table: 'device_labels',
    rows: SCALE.devices / 10,
    columns: 'device_id, key, value',
    values: `${scaleId('device', 'n * 10')}, 'rack', 'r' || n % 500`,
  },
  // Their rows are written by triggers of the tables above.
  ...['device_kinds', 'narrow_devices'].map((table) => ({ table, rows: 0, columns: '', values: '' })),
];
