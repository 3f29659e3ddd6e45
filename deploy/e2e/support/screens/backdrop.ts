import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { query } from '../database.ts';
import type { Office } from '../office.ts';
import { makeRelease } from '../releases.ts';
import { VncDesktop } from '../vnc.ts';
import type { Warren } from '../warren.ts';
import { startGreenhousePage } from './greenhouse.page.ts';
import { WATERING } from './recorded.desktop.ts';
import { exposed } from './scene.ts';

/** Hours of a month in which people of an account worked, more of them in some weeks than in others. */
const USAGE = `
  INSERT INTO tenancy.usage_hours (account_id, hour, kind, open_ms, opened, bytes_to_device, bytes_from_device)
  SELECT $1::uuid, hour, kind, share * 3600000 * weight, share * 9 * weight, share * 400000 * weight, share * 31000000 * weight
  FROM generate_series(date_trunc('month', now(), 'UTC'), now() - interval '1 hour', '1 hour') AS hour,
    LATERAL (SELECT (1 + sin(extract(epoch FROM hour) / 150000)) / 2 *
      (extract(isodow FROM hour) < 6 AND extract(hour FROM hour AT TIME ZONE 'UTC') BETWEEN 7 AND 17)::int AS share) AS day,
    (VALUES ('terminal', 2), ('desktop', 1), ('web', 3)) AS kinds (kind, weight)
  UNION ALL
  SELECT $1::uuid, hour, 'device', 5.6 * 3600000, 0, 0, 0
  FROM generate_series(date_trunc('month', now(), 'UTC'), now() - interval '1 hour', '1 hour') AS hour
  -- The hour before may have been used meanwhile.
  ON CONFLICT DO NOTHING`;

/** Refused sign-ins, as the sign-in doctor shows them. */
const REFUSED = `
  INSERT INTO identity.refused_sign_ins
    (id, provider, kind, reason, email, account_id, details, remote_address, user_agent, request_id)
  SELECT gen_random_uuid(), provider, kind, reason, email, NULL, details::jsonb, '203.0.113.24', 'Firefox', 'a1b2c3d4e5f6'
  FROM (VALUES
    ('default', 'domain', 'e-mail: jo@contractor.example is of none of the provider''s domains', 'jo@contractor.example',
      '{"emailAttributes":{"mail":"jo@contractor.example"},"nameIdFormat":"persistent"}'),
    ('default', 'time', 'subject confirmation: expired, or not yet valid', '',
      '{"clockDifferenceMs":-214000,"clockToleranceMs":60000}'),
    ('', 'certificate', 'signature: stale certificate; the hub''s metadata is the older one', '', '{}')
  ) AS refused (provider, kind, reason, email, details)`;

interface Device {
  id: string;
  serial: string;
}

/** What devices show, and a version on its way to them. */
export interface Backdrop {
  /** The web service: its host, its device and the port there. */
  web: string;
  served: { device: string; port: number };
  end(): Promise<void>;
}

/**
 * A web service and a desktop behind devices of this machine, a rollout to an account, the usage of another, and refused sign-ins.
 * @param shown whose page, desktop, rollout and usage
 */
export async function setBackdrop(
  office: Office,
  warren: Warren,
  shown: { web: Device; desktop: Device; account: string; used: string },
): Promise<Backdrop> {
  const releases = join(warren.facts.home, 'releases');
  const [page, desktop] = await Promise.all([
    startGreenhousePage(),
    VncDesktop.tiger(),
    makeRelease(join(releases, 'next'), '0.2.0', { instead: 'exit 1' }),
  ]);
  await desktop.terminal(WATERING);
  const { id, serial } = shown.desktop;
  await office.call('PUT', '/tunnel/set_vnc', { id, serial, port: desktop.port });
  const web = await exposed(office, shown.web, page.port);
  await query(warren.facts.database, USAGE, [shown.used]);
  await query(warren.facts.database, REFUSED);
  await office.call('POST', '/api/updates/rollouts', { version: '0.2.0', account: shown.account, share: 100 });
  const end = async () => {
    await Promise.all([page.stop(), desktop.stop(), rm(releases, { recursive: true, force: true })]);
  };
  return { web, served: { device: shown.web.id, port: page.port }, end };
}
