import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';

const text = deviceActions.rotate;

/** Makes a device change its key, after a confirmation. */
export function RotateKey({ device, onClose }: { device: Device; onClose: () => void }) {
  const [rotate] = deviceActionsApi.useRotateDeviceKeyMutation();
  const name = nameOf(device);
  return (
    <Confirmation
      lead={text.lead(name)}
      losses={text.losses}
      note={text.note}
      confirm={text.confirm}
      act={() => rotate({ id: device.id }).unwrap()}
      onDone={() => {
        onClose();
        succeeded(deviceActions.requestDone, text.detail(name));
      }}
      onCancel={onClose}
    />
  );
}
