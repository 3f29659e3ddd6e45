import {
  IconBuilding,
  IconDeviceDesktopCog,
  IconFileDescription,
  IconKey,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconTerminal2,
  IconTrash,
  IconWorldOff,
  IconWorldUp,
} from '@tabler/icons-react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';
import { devicePath, isConsoleOpen, nameOf } from '../../lib/device-access.ts';
import { desktop } from '../../lib/messages/desktop.ts';
import { deviceActions as text } from '../../lib/messages/device-actions.ts';
import { devicePage } from '../../lib/messages/device-page.ts';
import { useSession } from '../../lib/session.ts';
import { failed, succeeded } from '../../lib/toast.ts';
import { RowMenu } from '../../ui/RowMenu.tsx';
import type { RowAction } from '../../ui/RowMenu.tsx';
import { useTerminalWindow } from './useTerminalWindow.ts';
import type { DeviceDialogControls } from './useDeviceDialogs.ts';

interface DeviceMenuProps {
  device: Device;
  dialogs: DeviceDialogControls;
  /** Leads to the device page as well. */
  withPage?: boolean;
}

/** A SuperAdmin's actions on a device (specification, section 2, 'Devices list'). */
export function DeviceMenu({ device, dialogs, withPage = false }: DeviceMenuProps) {
  const page: RowAction = { label: devicePage.open, icon: IconFileDescription, to: devicePath(device) };
  const actions = useDeviceActions(device, dialogs);
  return <RowMenu name={nameOf(device)} actions={withPage ? [page, ...actions] : actions} />;
}

/** What a SuperAdmin may do with a device, for a menu. */
export function useDeviceActions(device: Device, dialogs: DeviceDialogControls): RowAction[] {
  const session = useSession();
  const [set] = deviceActionsApi.useSetDeviceServiceMutation();
  const enableConsole = () =>
    void set({ service: 'ssh', switch: 'enable', id: device.id, serial: device.serial })
      .unwrap()
      .then(
        () => succeeded(text.requestDone, text.consoleDetail(nameOf(device), true)),
        (error: unknown) => failed(error),
      );
  const webssh: RowAction = { label: text.webssh, icon: IconTerminal2, act: useTerminalWindow(device) };
  return [
    ...(session.webssh && isConsoleOpen(device) ? [webssh] : []),
    device.ssh_enable === 'Yes'
      ? {
          label: text.disableConsole,
          icon: IconPlugConnectedX,
          act: () => dialogs.manage.open({ device, off: 'ssh' }),
        }
      : { label: text.enableConsole, icon: IconPlugConnected, act: enableConsole },
    device.http_enable === 'Yes'
      ? { label: text.disableWeb, icon: IconWorldOff, act: () => dialogs.manage.open({ device, off: 'http' }) }
      : { label: text.enableWeb, icon: IconWorldUp, act: () => dialogs.http.open(device) },
    { label: desktop.place.action, icon: IconDeviceDesktopCog, act: () => dialogs.desktop.open(device) },
    { label: text.rename.action, icon: IconPencil, act: () => dialogs.rename.open(device) },
    // The device generates the key, and so has to be connected.
    ...(device.status === 'Connected'
      ? [{ label: text.rotate.title, icon: IconKey, act: () => dialogs.rotate.open(device) }]
      : []),
    { label: text.move.title, icon: IconBuilding, act: () => dialogs.move.open(device) },
    { label: text.remove.action, icon: IconTrash, danger: true, act: () => dialogs.remove.open(device) },
  ];
}
