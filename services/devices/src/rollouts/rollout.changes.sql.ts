import type { EntityManager } from 'typeorm';
import { IS_FOR, isTaken, type DeviceStateName } from './rollout.row.ts';

/** Failures that a person has seen when resuming do not stop it again. */
const COUNTED = `SELECT count(*) FILTER (WHERE state = 'failed' AND blamed) AS failed,
  count(*) FILTER (WHERE state = 'updated' OR (state = 'failed' AND blamed)) AS tried FROM rollout_devices WHERE rollout_id = $1`;

/** Marks the failures of a rollout so far as seen: they do not stop it again. */
export async function markSeen(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    `UPDATE rollouts SET seen_failed = counted.failed, seen_tried = counted.tried
     FROM (${COUNTED}) counted WHERE id = $1`,
    [id],
  );
}

/** Has all devices of a rollout return to their former version; those that are updating give up what they have not installed yet. */
export async function returnDevices(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    `UPDATE rollout_devices SET state = 'returning', why = '', asked = NULL, since = now()
     WHERE rollout_id = $1
       AND (state IN ('updating', 'busy', 'download_failed', 'updated') OR (state = 'failed' AND crashes > 0))`,
    [id],
  );
}

/** Removes the devices that wait from a rollout. They keep their version. */
export async function removeWaiting(manager: EntityManager, id: string): Promise<void> {
  await manager.query(`DELETE FROM rollout_devices WHERE rollout_id = $1 AND state IN ('busy', 'download_failed')`, [
    id,
  ]);
}

/** A device of a rollout that has not begun. */
export interface Waiting {
  connected: boolean;
  agent_version: string;
  taken: boolean;
}

/** Reads a device that an open rollout is for. */
export async function readWaiting(
  manager: EntityManager,
  rolloutId: string,
  deviceId: string,
): Promise<Waiting | undefined> {
  const [device] = await manager.query<Waiting[]>(
    `SELECT d.connected, d.agent_version,
       EXISTS (SELECT FROM rollout_devices r WHERE r.device_id = d.id AND ${isTaken('r')}) AS taken
     FROM rollouts o JOIN devices d ON ${IS_FOR} WHERE o.id = $1 AND o.state IN ('running', 'paused') AND d.id = $2`,
    [rolloutId, deviceId],
  );
  return device;
}

/** Begins a device that waits. It counts as retried, so it waits for no window. */
export async function insertRetried(
  manager: EntityManager,
  { rolloutId, deviceId, from }: { rolloutId: string; deviceId: string; from: string },
): Promise<void> {
  await manager.query(
    `INSERT INTO rollout_devices (rollout_id, device_id, state, from_version, retries) VALUES ($1, $2, 'updating', $3, 1)`,
    [rolloutId, deviceId, from],
  );
}

/** Locks a device that has begun, and tells whether another rollout works on it. */
export async function lockRolloutDevice(
  manager: EntityManager,
  rolloutId: string,
  deviceId: string,
): Promise<{ state: DeviceStateName; taken: boolean } | undefined> {
  const [device] = await manager.query<{ state: DeviceStateName; taken: boolean }[]>(
    `SELECT one.state, EXISTS (SELECT FROM rollout_devices r
       WHERE r.device_id = $2 AND r.rollout_id <> $1 AND ${isTaken('r')}) AS taken
     FROM rollout_devices one WHERE one.rollout_id = $1 AND one.device_id = $2 FOR UPDATE OF one`,
    [rolloutId, deviceId],
  );
  return device;
}

/** Begins a device again. Its former attempt no longer counts as a failure. */
export async function retry(manager: EntityManager, rolloutId: string, deviceId: string): Promise<void> {
  await manager.query(
    `UPDATE rollout_devices SET state = 'updating', why = '', blamed = false, asked = NULL, since = now(), retries = retries + 1,
       tried = NULL, crashes = 0, downloaded = 0, progressed = NULL
     WHERE rollout_id = $1 AND device_id = $2`,
    [rolloutId, deviceId],
  );
  // Failures that a person has seen can't be more than there are.
  await manager.query(
    `UPDATE rollouts SET seen_failed = LEAST(seen_failed, counted.failed), seen_tried = LEAST(seen_tried, counted.tried)
     FROM (${COUNTED}) counted WHERE id = $1`,
    [rolloutId],
  );
}
