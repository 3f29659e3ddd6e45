import { mayManageSome } from '../../../lib/access.ts';
import type { StartBulkJob } from '../../../lib/api/types.ts';
import { mayManageDevices, mayUpdate } from '../../../lib/device-access.ts';
import type { Session } from '../../../lib/session.ts';

export type BulkAction = StartBulkJob['action'];

/** Above so many devices, the number has to be typed before they are deleted or rebooted. */
const FEW = 10;

/**
 * The actions that a person may take, in the order of the menu: by role on every device, by grants to manage on some. The hub refuses the
 * others one by one.
 */
export function bulkActionsOf(session: Session): BulkAction[] {
  const granted = mayManageSome(session);
  const manages: BulkAction[] = ['enable_console', 'disable_console', 'enable_web', 'disable_web', 'move', 'delete'];
  return [
    ...(mayManageDevices(session) || granted ? (['reboot'] as const) : []),
    ...(mayUpdate(session) || granted ? (['update'] as const) : []),
    ...(mayManageDevices(session) ? manages : []),
  ];
}

/** It ends something that people may be using. */
export const isDangerous = (action: BulkAction): boolean =>
  ['delete', 'reboot', 'disable_console', 'disable_web'].includes(action);

/** Whether the number of devices has to be typed. */
export const needsCount = (action: BulkAction, count: number): boolean =>
  (action === 'delete' || action === 'reboot') && count > FEW;
