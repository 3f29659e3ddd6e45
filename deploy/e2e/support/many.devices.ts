import { query } from './database.ts';

/** Devices that have never linked, with facts and labels as those of a fleet differ. No call adds that many. */
const DEVICES = `INSERT INTO devices (id, account_id, account_name, connected, serial, slug, name, custom_name, private_ip, public_ip,
    os, kernel, arch, model, agent_version, cpu_cores, total_ram, total_disk, created, status_since)
  SELECT ('01990000-0000-7000-8abc-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, false, 'many-' || n, 'many-' || n,
    (ARRAY['kiosk', 'gateway', 'camera', 'sensor', 'display', 'meter'])[1 + n % 6] || '-' || n,
    CASE WHEN n % 5 = 0 THEN 'Hall ' || n % 97 ELSE '' END, '10.7.' || n / 256 || '.' || n % 256, '203.0.113.' || n % 256,
    'Debian GNU/Linux 13 (trixie)', '6.12.22', 'arm64', (ARRAY['Raspberry Pi 4', 'Raspberry Pi 5'])[1 + n % 2], '0.1.0', 4, 4294967296,
    34359738368, now() - n * interval '1 minute', now() - (n % 2000) * interval '1 hour'
  FROM generate_series(1, $3::int) n`;
const LABELS = `INSERT INTO device_labels (device_id, key, value)
  SELECT id, 'site', (ARRAY['north', 'south', 'east', 'west'])[1 + length(name) % 4] FROM devices WHERE serial LIKE 'many-%'`;

/**
 * Fills an account, until the hub has a number of devices.
 * @param database address as its administrator
 * @returns how many were added
 */
export async function fillTo(total: number, account: { id: string; name: string }, database: string): Promise<number> {
  // As the service has it: triggers keep what is derived of these rows.
  const url = new URL(database);
  url.searchParams.set('options', '-c search_path=devices');
  const [now] = await query<{ count: number }>(url.href, 'SELECT count(*)::int AS count FROM devices');
  const missing = total - (now?.count ?? 0);
  await query(url.href, DEVICES, [account.id, account.name, missing]);
  await query(url.href, LABELS);
  return missing;
}
