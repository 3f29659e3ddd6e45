import { setTimeout as wait } from 'node:timers/promises';
import type { Hub } from '../hub.ts';

export type RecordingPolicy = 'off' | 'best_effort' | 'required';

/** A recording as the API lists it. */
export interface RecordingRow {
  id: string;
  bytes: number;
  stored: number;
  durationMs: number;
  ended: string | null;
}

/** Sets what the account of the connected device records: its terminals and desktops, without their text. */
export async function setRecordingPolicy(hub: Hub, policy: RecordingPolicy): Promise<void> {
  const account = await accountOf(hub);
  const settings = { policy, filter: '', days: null, quota: null, full: 'drop_oldest', redactions: [] };
  await hub.send('PUT', '/api/recordings/settings', { account, ...settings, search: false, desktops: true });
}

/** Returns the newest recording, once none is live. @throws Error after a minute */
export async function newestRecording(hub: Hub, kind = 'terminal'): Promise<RecordingRow> {
  const account = await accountOf(hub);
  for (let attempt = 0; attempt < 300; attempt++) {
    const path = `/api/recordings?account=${account}&kind=${kind}&limit=50`;
    const { recordings } = await hub.get<{ recordings: RecordingRow[] }>(path);
    const [first] = recordings;
    if (first && recordings.every(({ ended }) => ended !== null)) return first;
    await wait(200);
  }
  throw new Error('Recordings are still live after a minute.');
}

async function accountOf(hub: Hub): Promise<string> {
  const { devices } = await hub.get<{ devices: { status: string; account: { id: string } }[] }>(
    '/api/devices?page=1&limit=50',
  );
  const device = devices.find(({ status }) => status === 'Connected');
  if (!device) throw new Error('No device is connected.');
  return device.account.id;
}
