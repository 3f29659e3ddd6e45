import { IconArrowsDiff, IconRefresh, IconShieldQuestion, IconUserShare } from '@tabler/icons-react';
import { Suspense, type ReactNode } from 'react';
import type { Device } from '../../../lib/api/types.ts';
import { guestPurposesOn, hasGuestLinks, mayManageDevices, mayOn } from '../../../lib/device-access.ts';
import { accessRequests } from '../../../lib/messages/access-requests.ts';
import { compare } from '../../../lib/messages/compare.ts';
import { deviceActions } from '../../../lib/messages/device-actions.ts';
import { guestLinks } from '../../../lib/messages/guests.ts';
import { mayAskFor } from '../../../lib/request-access.ts';
import { useSession } from '../../../lib/session.ts';
import { part } from '../../../ui/part.tsx';
import { noReboot, RebootDialog } from '../../../ui/Reboot.tsx';
import type { RowAction } from '../../../ui/RowMenu.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { DeviceDialogs } from '../DeviceDialogs.tsx';
import { useDeviceActions } from '../DeviceMenu.tsx';
import { useDeviceDialogs } from '../useDeviceDialogs.ts';

const GuestLinkDialog = part(async () => (await import('../../../ui/guest-links/GuestLinkDialog.tsx')).GuestLinkDialog);
const AskDialog = part(async () => (await import('../../../ui/AskForAccess.tsx')).AskDialog);

export interface HeadActions {
  /** Those with a button in the head. */
  buttons: RowAction[];
  /** Those of the menu; empty for people without it. */
  menu: RowAction[];
  /** The dialogs of all actions, rendered once: head and phone menu open the same ones. */
  dialogs: ReactNode;
}

/** What the person may do with a device from its page. */
export function useHeadActions(device: Device): HeadActions {
  const session = useSession();
  const controls = useDeviceDialogs();
  const reboot = useDialog<Device>();
  const guest = useDialog<Device>();
  const ask = useDialog<Device>();
  const managing = useDeviceActions(device, controls);
  const invites = hasGuestLinks(session, device) && guestPurposesOn(device).length > 0;
  const asks = mayAskFor(session, device);
  const manages = mayManageDevices(session);
  const offered: [boolean, RowAction][] = [
    [true, { label: compare.action, icon: IconArrowsDiff, to: `/devices/compare/${device.id}` }],
    [
      mayOn(device, 'manage'),
      {
        label: deviceActions.reboot.action,
        icon: IconRefresh,
        unavailable: noReboot(device),
        act: () => reboot.open(device),
      },
    ],
    [invites, { label: guestLinks.action, icon: IconUserShare, act: () => guest.open(device) }],
    [asks, { label: accessRequests.ask.action, icon: IconShieldQuestion, act: () => ask.open(device) }],
  ];
  return {
    buttons: offered.flatMap(([may, action]) => (may ? [action] : [])),
    menu: manages ? managing : [],
    dialogs: (
      <>
        <RebootDialog control={reboot} />
        <Suspense>
          {invites ? <GuestLinkDialog control={guest} /> : null}
          {asks ? <AskDialog control={ask} /> : null}
        </Suspense>
        {manages ? <DeviceDialogs dialogs={controls} /> : null}
      </>
    ),
  };
}
