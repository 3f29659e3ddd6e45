import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { RolloutChange } from '@warren/proto/devices/v1/rollouts';
import semver from 'semver';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { IS_FOR, isTaken, type DeviceStateName, type RolloutRow, type RolloutStateName } from './rollout.row.ts';

interface Step {
  from: readonly RolloutStateName[];
  word: string;
  sql: readonly string[];
}

/** Failures that a person has seen when resuming do not stop it again. */
const COUNTED = `SELECT count(*) FILTER (WHERE state = 'failed' AND blamed) AS failed,
  count(*) FILTER (WHERE state = 'updated' OR (state = 'failed' AND blamed)) AS tried FROM rollout_devices WHERE rollout_id = $1`;

const STEPS: Partial<Record<RolloutChange, Step>> = {
  [RolloutChange.PAUSE]: {
    from: ['running'],
    word: 'paused',
    sql: [`UPDATE rollouts SET state = 'paused', why = '' WHERE id = $1`],
  },
  [RolloutChange.RESUME]: {
    from: ['paused'],
    word: 'resumed',
    sql: [
      `UPDATE rollouts SET state = 'running', why = '', seen_failed = counted.failed, seen_tried = counted.tried
       FROM (${COUNTED}) counted WHERE id = $1`,
    ],
  },
  [RolloutChange.ROLL_BACK]: {
    from: ['running', 'paused', 'done'],
    word: 'rolled back',
    sql: [
      `UPDATE rollouts SET state = 'rolled_back', why = '' WHERE id = $1`,
      // Those that are at it, too: what they have not put in place yet, they give up.
      `UPDATE rollout_devices SET state = 'returning', why = '', asked = NULL, since = now()
       WHERE rollout_id = $1
         AND (state IN ('updating', 'busy', 'download_failed', 'updated') OR (state = 'failed' AND crashes > 0))`,
    ],
  },
  [RolloutChange.END]: {
    from: ['running', 'paused'],
    word: 'ended',
    sql: [
      `UPDATE rollouts SET state = 'done', why = '' WHERE id = $1`,
      // Nothing offers the update to them any more, so they keep their version.
      `DELETE FROM rollout_devices WHERE rollout_id = $1 AND state IN ('busy', 'download_failed')`,
    ],
  },
};

/**
 * Changes the state of a locked rollout.
 * @throws Fault `invalid_argument` for no change; `failed_precondition` for a change that its state does not allow
 */
export async function changeRollout(manager: EntityManager, row: RolloutRow, change: RolloutChange): Promise<void> {
  const step = STEPS[change];
  if (!step) throw invalidInput({ field: 'change', message: 'expected pause, resume, roll_back or end.' });
  if (!step.from.includes(row.state))
    throw new Fault('failed_precondition', `the rollout is ${row.state.replace('_', ' ')}, and can't be ${step.word}.`);
  for (const sql of step.sql) await manager.query(sql, [row.id]);
}

/** The device's former attempt no longer counts as a failure. */
const RETRY = `
  UPDATE rollout_devices SET state = 'updating', why = '', blamed = false, asked = NULL, since = now(), retries = retries + 1,
    tried = NULL, crashes = 0, downloaded = 0, progressed = NULL
  WHERE rollout_id = $1 AND device_id = $2`;

/** Failures that a person has seen can't be more than there are. */
const FORGET = `
  UPDATE rollouts SET seen_failed = LEAST(seen_failed, counted.failed), seen_tried = LEAST(seen_tried, counted.tried)
  FROM (${COUNTED}) counted WHERE id = $1`;

/** Counts as retried: what a person wants waits for no window. */
const BEGIN = `
  INSERT INTO rollout_devices (rollout_id, device_id, state, from_version, retries) VALUES ($1, $2, 'updating', $3, 1)`;

interface Waiting {
  connected: boolean;
  agent_version: string;
  taken: boolean;
}

/** @throws Fault `not_found`; `failed_precondition` for a device that is away, has a newer version or is in another rollout */
async function beginDevice(manager: EntityManager, row: RolloutRow, deviceId: string): Promise<void> {
  const [device] = isUuid(deviceId)
    ? await manager.query<Waiting[]>(
        `SELECT d.connected, d.agent_version,
           EXISTS (SELECT FROM rollout_devices r WHERE r.device_id = d.id AND ${isTaken('r')}) AS taken
         FROM rollouts o JOIN devices d ON ${IS_FOR} WHERE o.id = $1 AND o.state IN ('running', 'paused') AND d.id = $2`,
        [row.id, deviceId],
      )
    : [];
  if (!device) throw new Fault('not_found', `device ${deviceId.slice(0, 64)} in this rollout.`);
  if (!device.connected) throw new Fault('failed_precondition', 'the device is not connected.');
  if (device.taken) throw taken();
  const from = device.agent_version;
  if (semver.valid(from) && semver.gt(from, row.version))
    throw new Fault('failed_precondition', `the device runs version ${from}, which is newer than ${row.version}.`);
  await manager.query(BEGIN, [row.id, deviceId, from]);
}

const taken = () => new Fault('failed_precondition', 'another rollout is at work on the device; wait for its end.');

/**
 * Offers a rollout's version to one of its devices at once: to one that failed, or that waits. The rollout's row is locked.
 * @throws Fault `not_found`; `failed_precondition` for a device that neither failed nor waits or is in another rollout, or after a rollback
 */
export async function retryDevice(manager: EntityManager, row: RolloutRow, deviceId: string): Promise<void> {
  if (row.state === 'rolled_back')
    throw new Fault('failed_precondition', 'the rollout is rolled back; begin another one to try the version again.');
  const [device] = isUuid(deviceId)
    ? await manager.query<{ state: DeviceStateName; taken: boolean }[]>(
        `SELECT one.state, EXISTS (SELECT FROM rollout_devices r
           WHERE r.device_id = $2 AND r.rollout_id <> $1 AND ${isTaken('r')}) AS taken
         FROM rollout_devices one WHERE one.rollout_id = $1 AND one.device_id = $2 FOR UPDATE OF one`,
        [row.id, deviceId],
      )
    : [];
  if (!device) return beginDevice(manager, row, deviceId);
  if (device.state !== 'failed' && device.state !== 'download_failed')
    throw new Fault('failed_precondition', `the device is ${device.state}; only one that failed can be retried.`);
  if (device.taken) throw taken();
  await manager.query(RETRY, [row.id, deviceId]);
  await manager.query(FORGET, [row.id]);
}
