import {
  RolloutChange,
  RolloutDeviceState,
  RolloutState,
  type Rollout,
  type RolloutDevice,
} from '@warren/proto/devices/v1/rollouts';
import type { z } from 'zod';
import { isoTime } from '../http/schemas.ts';
import type {
  ROLLOUT_CHANGES,
  ROLLOUT_DEVICE_STATES,
  ROLLOUT_STATES,
  rolloutDeviceListSchema,
  rolloutSchema,
} from './update.schemas.ts';

const STATES: Record<RolloutState, (typeof ROLLOUT_STATES)[number]> = {
  [RolloutState.UNSPECIFIED]: 'done',
  [RolloutState.RUNNING]: 'running',
  [RolloutState.PAUSED]: 'paused',
  [RolloutState.ROLLED_BACK]: 'rolled_back',
  [RolloutState.DONE]: 'done',
};

const DEVICE_STATES: Record<RolloutDeviceState, (typeof ROLLOUT_DEVICE_STATES)[number]> = {
  [RolloutDeviceState.UNSPECIFIED]: 'updating',
  [RolloutDeviceState.UPDATING]: 'updating',
  [RolloutDeviceState.BUSY]: 'busy',
  [RolloutDeviceState.DOWNLOAD_FAILED]: 'download_failed',
  [RolloutDeviceState.TRIAL]: 'trial',
  [RolloutDeviceState.UPDATED]: 'updated',
  [RolloutDeviceState.FAILED]: 'failed',
  [RolloutDeviceState.FLAPPING]: 'flapping',
  [RolloutDeviceState.RETURNING]: 'returning',
  [RolloutDeviceState.RETURNED]: 'returned',
  [RolloutDeviceState.NEWER]: 'newer',
  [RolloutDeviceState.WINDOW]: 'window',
};

export const CHANGES: Record<(typeof ROLLOUT_CHANGES)[number], RolloutChange> = {
  pause: RolloutChange.PAUSE,
  resume: RolloutChange.RESUME,
  roll_back: RolloutChange.ROLL_BACK,
  end: RolloutChange.END,
};

export function rolloutJson(rollout: Rollout): z.output<typeof rolloutSchema> {
  const {
    waiting = 0,
    busy = 0,
    updating = 0,
    downloadFailed = 0,
    trial = 0,
    updated = 0,
    failed = 0,
    flapping = 0,
    returning = 0,
    returned = 0,
  } = rollout.counts ?? {};
  return {
    id: rollout.id,
    version: rollout.version,
    share: rollout.share,
    account: rollout.accountId ? { id: rollout.accountId, name: rollout.accountName } : null,
    state: STATES[rollout.state],
    why: rollout.why,
    created: isoTime(rollout.created),
    created_by: rollout.createdBy,
    counts: {
      waiting,
      busy,
      updating,
      download_failed: downloadFailed,
      trial,
      updated,
      failed,
      flapping,
      returning,
      returned,
    },
    wait: rollout.wait
      ? { devices: rollout.wait.devices, opens: isoTime(rollout.wait.opens), time_zone: rollout.wait.timeZone }
      : null,
  };
}

type DeviceJson = z.output<typeof rolloutDeviceListSchema>['devices'][number];

export function rolloutDeviceJson(device: RolloutDevice): DeviceJson {
  return {
    id: device.deviceId,
    name: device.name,
    account: { id: device.accountId, name: device.accountName },
    state: DEVICE_STATES[device.state],
    why: device.why,
    from: device.fromVersion,
    since: isoTime(device.since),
  };
}
