import { desktop as desktopText } from '../../lib/messages/desktop.ts';
import { deviceActions as text } from '../../lib/messages/device-actions.ts';
import { DeleteDevice } from '../../ui/DeleteDevice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EnableWeb } from '../../ui/EnableWeb.tsx';
import { PlaceDesktop } from '../../ui/PlaceDesktop.tsx';
import { ManageDevice } from './ManageDevice.tsx';
import { MoveDevice } from './MoveDevice.tsx';
import { RenameDevice } from './RenameDevice.tsx';
import { RotateKey } from './RotateKey.tsx';
import type { DeviceDialogControls } from './useDeviceDialogs.ts';

export function DeviceDialogs({ dialogs }: { dialogs: DeviceDialogControls }) {
  const { manage, http, desktop, rename, rotate, move, remove } = dialogs;
  return (
    <>
      <Dialog control={manage} title={text.manage.title}>
        {({ device, off }) => <ManageDevice device={device} off={off} onClose={manage.close} />}
      </Dialog>
      <Dialog control={http} title={text.http.title}>
        {(device) => <EnableWeb device={device} onClose={http.close} />}
      </Dialog>
      <Dialog control={desktop} title={desktopText.place.title}>
        {(device) => <PlaceDesktop device={device} onClose={desktop.close} />}
      </Dialog>
      <Dialog control={rename} title={text.rename.title}>
        {(device) => <RenameDevice device={device} onClose={rename.close} />}
      </Dialog>
      <Dialog control={rotate} title={text.rotate.title}>
        {(device) => <RotateKey device={device} onClose={rotate.close} />}
      </Dialog>
      <Dialog control={move} title={text.move.title}>
        {(device) => <MoveDevice device={device} onClose={move.close} />}
      </Dialog>
      <Dialog control={remove} title={text.remove.title}>
        {(device) => <DeleteDevice device={device} onClose={remove.close} />}
      </Dialog>
    </>
  );
}
