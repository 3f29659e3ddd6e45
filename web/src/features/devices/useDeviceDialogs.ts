import type { Device } from '../../lib/api/types.ts';
import { useDialog } from '../../ui/useDialog.ts';
import type { DialogControl } from '../../ui/useDialog.ts';
import type { Service } from './ManageDevice.tsx';

/** The actions on a device, each in a separate dialog. */
export interface DeviceDialogControls {
  manage: DialogControl<{ device: Device; off: Service }>;
  http: DialogControl<Device>;
  desktop: DialogControl<Device>;
  rename: DialogControl<Device>;
  rotate: DialogControl<Device>;
  move: DialogControl<Device>;
  remove: DialogControl<Device>;
}

export function useDeviceDialogs(): DeviceDialogControls {
  return {
    manage: useDialog<{ device: Device; off: Service }>(),
    http: useDialog<Device>(),
    desktop: useDialog<Device>(),
    rename: useDialog<Device>(),
    rotate: useDialog<Device>(),
    move: useDialog<Device>(),
    remove: useDialog<Device>(),
  };
}
