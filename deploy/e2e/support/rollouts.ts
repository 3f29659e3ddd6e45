import type { APIRequestContext } from '@playwright/test';
import { getJson } from './api.ts';
import { expect } from './test.ts';

/** A rollout as the API shows it. */
export interface RolloutJson {
  id: string;
  state: 'running' | 'paused' | 'rolled_back' | 'done';
  why: string;
  counts: Record<
    | 'waiting'
    | 'busy'
    | 'updating'
    | 'download_failed'
    | 'trial'
    | 'updated'
    | 'failed'
    | 'flapping'
    | 'returning'
    | 'returned',
    number
  >;
}

export interface RolloutDeviceJson {
  id: string;
  state: string;
  why: string;
  from: string;
}

/** Begins a rollout to all devices of an account; the request is a SuperAdmin's. */
export async function startRollout(
  request: APIRequestContext,
  hub: string,
  { version, account }: { version: string; account: string },
): Promise<string> {
  const data = { version, account, share: 100 };
  const response = await request.post('/api/updates/rollouts', { headers: { origin: hub }, data });
  if (response.status() !== 201) throw new Error(`rollout: ${response.status()} ${await response.text()}`);
  return ((await response.json()) as { result: RolloutJson }).result.id;
}

/** Begins a rollout as soon as the one before is over, which is within a second of its last device. */
export async function startNextRollout(
  request: APIRequestContext,
  hub: string,
  { within, ...what }: { version: string; account: string; within: number },
): Promise<string> {
  let id = '';
  await expect(async () => {
    id = await startRollout(request, hub, what);
  }).toPass({ timeout: within });
  return id;
}

/** @throws when there is none with that id among the newest */
export async function rollout(request: APIRequestContext, id: string): Promise<RolloutJson> {
  const { rollouts } = await getJson<{ rollouts: RolloutJson[] }>(request, '/api/updates/rollouts?limit=200');
  const found = rollouts.find((one) => one.id === id);
  if (!found) throw new Error(`rollout: there is no ${id}`);
  return found;
}

/** What became of the devices of a rollout. */
export async function rolloutDevices(request: APIRequestContext, id: string): Promise<RolloutDeviceJson[]> {
  return (await getJson<{ devices: RolloutDeviceJson[] }>(request, `/api/updates/rollouts/${id}/devices`)).devices;
}
