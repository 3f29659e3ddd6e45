import { deviceActionsApi } from '../lib/api/device-actions.ts';
import type { Device } from '../lib/api/types.ts';
import { nameOf } from '../lib/device-access.ts';
import { deviceActions } from '../lib/messages/device-actions.ts';
import { succeeded } from '../lib/toast.ts';
import { Confirmation } from './Confirmation.tsx';

const text = deviceActions.remove;

interface DeleteDeviceProps {
  device: Device;
  onClose: () => void;
  /** Called after the device is deleted. */
  onRemoved?: () => void;
}

/** Deletes a device after the user has typed its name. */
export function DeleteDevice({ device, onClose, onRemoved }: DeleteDeviceProps) {
  const [remove] = deviceActionsApi.useDeleteDeviceMutation();
  const name = nameOf(device);
  return (
    <Confirmation
      lead={text.lead(name, device.account.name)}
      losses={text.losses}
      note={text.note}
      typed={name}
      confirm={text.confirm}
      act={() => remove({ id: device.id }).unwrap()}
      onDone={() => {
        onClose();
        onRemoved?.();
        succeeded(text.done, text.detail(name));
      }}
      onCancel={onClose}
    />
  );
}
