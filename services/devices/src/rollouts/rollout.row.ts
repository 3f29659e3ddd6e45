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

/** A rollout as {@link SELECT_ROLLOUT} reads it. */
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
  counts: Partial<Record<DeviceStateName, number>> | null;
  waiting: number;
}

export type DeviceStateName = 'updating' | 'busy' | 'updated' | 'failed' | 'returning' | 'returned' | 'newer';

/** The devices `d` that rollout `o` is for and that do not run its version. */
export const IS_FOR = `(o.account_id IS NULL OR d.account_id = o.account_id) AND rollout_percent(d.id) < o.share
  AND d.agent_version <> '' AND d.agent_version <> o.version`;

/** Ends in a WHERE or ORDER BY of `rollouts o`. */
export const SELECT_ROLLOUT = `
  SELECT o.id, o.version, o.account_id, a.name AS account_name, o.share, o.state, o.why, o.created, o.created_by,
    (SELECT jsonb_object_agg(state, count) FROM
      (SELECT r.state, count(*)::integer AS count FROM rollout_devices r WHERE r.rollout_id = o.id GROUP BY r.state) counted
    ) AS counts,
    CASE WHEN o.state IN ('running', 'paused') THEN
      (SELECT count(*)::integer FROM devices d WHERE ${IS_FOR}
        AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.device_id = d.id))
    ELSE 0 END AS waiting
  FROM rollouts o LEFT JOIN accounts a ON a.id = o.account_id`;

const STATES: Record<RolloutStateName, RolloutState> = {
  running: RolloutState.RUNNING,
  paused: RolloutState.PAUSED,
  rolled_back: RolloutState.ROLLED_BACK,
  done: RolloutState.DONE,
};

export function asRollout(row: RolloutRow): MessageInitShape<typeof RolloutSchema> {
  const { busy, updating, updated, failed, returning, returned } = row.counts ?? {};
  return {
    ...{ id: row.id, version: row.version, accountId: row.account_id ?? '', accountName: row.account_name ?? '' },
    ...{ share: row.share, state: STATES[row.state], why: row.why },
    ...{ created: timestampFromDate(row.created), createdBy: row.created_by },
    counts: { waiting: row.waiting, busy, updating, updated, failed, returning, returned },
  };
}

/** A device of a rollout. */
export interface RolloutDeviceRow {
  device_id: string;
  name: string;
  account_id: string;
  account_name: string;
  state: DeviceStateName;
  why: string;
  from_version: string;
  since: Date;
}

const DEVICE_STATES: Record<DeviceStateName, RolloutDeviceState> = {
  updating: RolloutDeviceState.UPDATING,
  busy: RolloutDeviceState.BUSY,
  updated: RolloutDeviceState.UPDATED,
  failed: RolloutDeviceState.FAILED,
  returning: RolloutDeviceState.RETURNING,
  returned: RolloutDeviceState.RETURNED,
  newer: RolloutDeviceState.NEWER,
};

export function asRolloutDevice(row: RolloutDeviceRow): MessageInitShape<typeof RolloutDeviceSchema> {
  return {
    ...{ deviceId: row.device_id, name: row.name, accountId: row.account_id, accountName: row.account_name },
    ...{ state: DEVICE_STATES[row.state], why: row.why, fromVersion: row.from_version },
    since: timestampFromDate(row.since),
  };
}

/** Whoever may see rollouts may hear of it; they are of no one account. */
export function rolloutChanged(rolloutId: string, actor = ''): Event {
  return newEvent({ accountId: '', actor, kind: { case: 'rolloutChanged', value: { rolloutId } } });
}
