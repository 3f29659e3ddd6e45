import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { RolloutChange } from '@warren/proto/devices/v1/rollouts';
import semver from 'semver';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  insertRetried,
  lockRolloutDevice,
  markSeen,
  readWaiting,
  removeWaiting,
  retry,
  returnDevices,
} from './rollout.changes.sql.ts';
import { RolloutEntity } from './rollout.entity.ts';
import type { RolloutStateName } from './rollout.row.ts';

interface Step {
  from: readonly RolloutStateName[];
  word: string;
  to: RolloutStateName;
  /** Settles its devices. */
  settle?: (manager: EntityManager, id: string) => Promise<void>;
}

const STEPS: Partial<Record<RolloutChange, Step>> = {
  [RolloutChange.PAUSE]: { from: ['running'], word: 'paused', to: 'paused' },
  [RolloutChange.RESUME]: { from: ['paused'], word: 'resumed', to: 'running', settle: markSeen },
  [RolloutChange.ROLL_BACK]: {
    from: ['running', 'paused', 'done'],
    word: 'rolled back',
    to: 'rolled_back',
    settle: returnDevices,
  },
  [RolloutChange.END]: { from: ['running', 'paused'], word: 'ended', to: 'done', settle: removeWaiting },
};

/**
 * Changes the state of a locked rollout.
 * @throws Fault `invalid_argument` for no change; `failed_precondition` for a change that its state does not allow
 */
export async function changeRollout(manager: EntityManager, row: RolloutEntity, change: RolloutChange): Promise<void> {
  const step = STEPS[change];
  if (!step) throw invalidInput({ field: 'change', message: 'expected pause, resume, roll_back or end.' });
  if (!step.from.includes(row.state))
    throw new Fault('failed_precondition', `the rollout is ${row.state.replace('_', ' ')}, and can't be ${step.word}.`);
  await manager.update(RolloutEntity, { id: row.id }, { state: step.to, why: '' });
  await step.settle?.(manager, row.id);
}

/** @throws Fault `not_found`; `failed_precondition` for a device that is away, has a newer version or is in another rollout */
async function beginDevice(manager: EntityManager, row: RolloutEntity, deviceId: string): Promise<void> {
  const device = isUuid(deviceId) ? await readWaiting(manager, row.id, deviceId) : undefined;
  if (!device) throw new Fault('not_found', `device ${deviceId.slice(0, 64)} in this rollout.`);
  if (!device.connected) throw new Fault('failed_precondition', 'the device is not connected.');
  if (device.taken) throw taken();
  const from = device.agent_version;
  if (semver.valid(from) && semver.gt(from, row.version))
    throw new Fault('failed_precondition', `the device runs version ${from}, which is newer than ${row.version}.`);
  await insertRetried(manager, { rolloutId: row.id, deviceId, from });
}

const taken = () => new Fault('failed_precondition', 'another rollout is at work on the device; wait for its end.');

/**
 * Offers a rollout's version to one of its devices at once: to one that failed, or that waits. The rollout's row is locked.
 * @throws Fault `not_found`; `failed_precondition` for a device that neither failed nor waits or is in another rollout, or after a rollback
 */
export async function retryDevice(manager: EntityManager, row: RolloutEntity, deviceId: string): Promise<void> {
  if (row.state === 'rolled_back')
    throw new Fault('failed_precondition', 'the rollout is rolled back; begin another one to try the version again.');
  const device = isUuid(deviceId) ? await lockRolloutDevice(manager, row.id, deviceId) : undefined;
  if (!device) return beginDevice(manager, row, deviceId);
  if (device.state !== 'failed' && device.state !== 'download_failed')
    throw new Fault('failed_precondition', `the device is ${device.state}; only one that failed can be retried.`);
  if (device.taken) throw taken();
  await retry(manager, row.id, deviceId);
}
