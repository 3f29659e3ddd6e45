import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Action } from '@warren/platform/policy/policy';
import type { SwitchColumn } from '../devices/device.row.ts';
import { BulkAction, BulkState, type BulkJobSchema } from '@warren/proto/devices/v1/bulk';
import type { BulkActionName, BulkJobEntity } from './bulk.job.entity.ts';

export type BulkDeviceState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
export type BulkCounts = Record<BulkDeviceState, number>;

/** Devices of a job that failed for the same reason. */
export interface BulkFailureRow {
  code: string;
  reason: string;
  count: number;
  devices: { id: string; name: string }[];
}

const ACTIONS: Partial<Record<BulkAction, BulkActionName>> = {
  [BulkAction.REBOOT]: 'reboot',
  [BulkAction.UPDATE]: 'update',
  [BulkAction.MOVE]: 'move',
  [BulkAction.DELETE]: 'delete',
  [BulkAction.ENABLE_CONSOLE]: 'enable_console',
  [BulkAction.DISABLE_CONSOLE]: 'disable_console',
  [BulkAction.ENABLE_WEB]: 'enable_web',
  [BulkAction.DISABLE_WEB]: 'disable_web',
};
const STATES = { running: BulkState.RUNNING, done: BulkState.DONE, cancelled: BulkState.CANCELLED };

export const actionOf = (action: BulkAction): BulkActionName | undefined => ACTIONS[action];

/** The permission that an action has for one device. */
export const permissionOf = (action: BulkActionName): Action =>
  action === 'update' ? 'updates.manage' : 'devices.manage';

const SWITCHES: Partial<Record<BulkActionName, { column: SwitchColumn; enabled: boolean }>> = {
  enable_console: { column: 'ssh_enabled', enabled: true },
  disable_console: { column: 'ssh_enabled', enabled: false },
  enable_web: { column: 'http_enabled', enabled: true },
  disable_web: { column: 'http_enabled', enabled: false },
};

/** What an action switches; undefined for one that is no switch. */
export const switchOf = (action: BulkActionName) => SWITCHES[action];

/** Whether a device has to be connected for an action. */
export const needsLink = (action: BulkActionName): boolean => action === 'reboot' || action === 'update';

export function asBulkJob(
  row: BulkJobEntity,
  counts: BulkCounts,
  failures: readonly BulkFailureRow[] = [],
): MessageInitShape<typeof BulkJobSchema> {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    id: row.id,
    action: Number(Object.entries(ACTIONS).find(([, name]) => name === row.action)?.[0] ?? BulkAction.UNSPECIFIED),
    state: STATES[row.state],
    ...(row.filter === null ? {} : { filter: row.filter }),
    filterAccountName: row.filterAccountName,
    targetAccountId: row.targetAccountId ?? '',
    targetAccountName: row.targetAccountName,
    startedBy: row.userName || row.userEmail,
    cancelledBy: row.cancelledBy,
    created: timestampFromDate(row.created),
    ...(row.finished && { finished: timestampFromDate(row.finished) }),
    counts: { total, ...counts },
    failures: [...failures],
  };
}
