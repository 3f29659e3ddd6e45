import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { newEvent, type Event } from '@warren/platform/events/event';
import {
  RolloutDeviceState,
  RolloutState,
  type RolloutDeviceSchema,
  type RolloutSchema,
} from '@warren/proto/devices/v1/rollouts';

export type RolloutStateName = 'running' | 'paused' | 'rolled_back' | 'done';

/** A rollout as `rollouts.sql.ts` reads it. */
export interface RolloutRow {
  id: string;
  version: string;
  account_id: string | null;
  account_name: string | null;
  share: number;
  state: RolloutStateName;
  why: string;
  created: Date;
  created_by: string;
  counts: Partial<Record<ShownStateName, number>> | null;
  waiting: number;
}

/** Devices of a rollout that nothing but the windows of their accounts keeps from it. */
export interface RolloutWait {
  devices: number;
  /** The first of these windows opens then. */
  opens: Date;
  timeZone: string;
}

/** What people are shown of a device `r`. */
export const SHOWN_STATE = `CASE WHEN r.state = 'updating' AND r.tried IS NOT NULL THEN 'trial'
  WHEN r.state = 'failed' AND r.crashes > 0 THEN 'flapping' ELSE r.state END`;

type ShownStateName = DeviceStateName | 'trial' | 'flapping';

/** Before it is offered a version, a device can wait for the window of its account. */
type ListedStateName = ShownStateName | 'window';

export type DeviceStateName =
  | 'updating'
  | 'busy'
  | 'download_failed'
  | 'updated'
  | 'failed'
  | 'returning'
  | 'returned'
  | 'newer';

/** The devices `d` that rollout `o` is for and that do not run its version. */
export const IS_FOR = `(o.account_id IS NULL OR d.account_id = o.account_id) AND rollout_percent(d.id) < o.share
  AND d.agent_version <> '' AND d.agent_version <> o.version`;

/** Why a device failed that was away for too long in the middle of an update. When it comes back, it is asked again. */
export const LOST = 'it did not come back after the update began';
export const isLost = (row: string) => `(${row}.state = 'failed' AND ${row}.why = '${LOST}')`;

/** Whether a device works on the rollout of a `rollout_devices` row that is open, or goes back from it: it is left to that one. */
export const isTaken = (
  row: string,
) => `(${row}.state = 'returning' OR (${row}.state IN ('updating', 'busy', 'download_failed')
  AND ${row}.since > now() - interval '1 day'
  AND EXISTS (SELECT FROM rollouts other WHERE other.id = ${row}.rollout_id AND other.state IN ('running', 'paused'))))`;

const STATES: Record<RolloutStateName, RolloutState> = {
  running: RolloutState.RUNNING,
  paused: RolloutState.PAUSED,
  rolled_back: RolloutState.ROLLED_BACK,
  done: RolloutState.DONE,
};

export function asRollout(row: RolloutRow, wait?: RolloutWait): MessageInitShape<typeof RolloutSchema> {
  const { busy, updating, trial, updated, failed, flapping, returning, returned } = row.counts ?? {};
  return {
    id: row.id,
    version: row.version,
    accountId: row.account_id ?? '',
    accountName: row.account_name ?? '',
    share: row.share,
    state: STATES[row.state],
    why: row.why,
    created: timestampFromDate(row.created),
    createdBy: row.created_by,
    counts: {
      waiting: row.waiting,
      busy,
      updating,
      downloadFailed: row.counts?.download_failed,
      trial,
      updated,
      failed,
      flapping,
      returning,
      returned,
    },
    ...(wait && { wait: { ...wait, opens: timestampFromDate(wait.opens) } }),
  };
}

/** A device of a rollout. */
export interface RolloutDeviceRow {
  device_id: string;
  name: string;
  account_id: string;
  account_name: string;
  state: ListedStateName;
  why: string;
  from_version: string;
  since: Date;
}

const DEVICE_STATES: Record<ListedStateName, RolloutDeviceState> = {
  window: RolloutDeviceState.WINDOW,
  trial: RolloutDeviceState.TRIAL,
  flapping: RolloutDeviceState.FLAPPING,
  updating: RolloutDeviceState.UPDATING,
  busy: RolloutDeviceState.BUSY,
  download_failed: RolloutDeviceState.DOWNLOAD_FAILED,
  updated: RolloutDeviceState.UPDATED,
  failed: RolloutDeviceState.FAILED,
  returning: RolloutDeviceState.RETURNING,
  returned: RolloutDeviceState.RETURNED,
  newer: RolloutDeviceState.NEWER,
};
export const SHOWN_STATES = Object.keys(DEVICE_STATES).filter((state) => state !== 'window');

export function asRolloutDevice(row: RolloutDeviceRow): MessageInitShape<typeof RolloutDeviceSchema> {
  return {
    deviceId: row.device_id,
    name: row.name,
    accountId: row.account_id,
    accountName: row.account_name,
    state: DEVICE_STATES[row.state],
    why: row.why,
    fromVersion: row.from_version,
    since: timestampFromDate(row.since),
  };
}

/** Visible to all who may see rollouts: a rollout belongs to no account. */
export function rolloutChanged(rolloutId: string, actor = ''): Event {
  return newEvent({ accountId: '', actor, kind: { case: 'rolloutChanged', value: { rolloutId } } });
}
