import { Button, Text, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useId } from 'react';
import { deviceActionsApi } from '../lib/api/device-actions.ts';
import type { Device } from '../lib/api/types.ts';
import { nameOf } from '../lib/device-access.ts';
import { deviceActions } from '../lib/messages/device-actions.ts';
import { succeeded } from '../lib/toast.ts';
import { Confirmation } from './Confirmation.tsx';
import { Dialog } from './Dialog.tsx';
import { useDialog } from './useDialog.ts';
import type { DialogControl } from './useDialog.ts';

const text = deviceActions.reboot;
/** A finger does not hover: a tap shows why the button does nothing, as the focus does. */
export const REASON_SHOWN_ON = { hover: true, focus: true, touch: true };

/** Why a device can't be rebooted now; undefined if it can. */
export const noReboot = ({ status }: Device): string | undefined => (status === 'Connected' ? undefined : text.offline);

/** Reboots the device after a confirmation. */
export function Reboot({ device }: { device: Device }) {
  const dialog = useDialog<Device>();
  const why = noReboot(device);
  const reason = useId();
  return (
    <>
      <Tooltip label={text.offline} disabled={why === undefined} events={REASON_SHOWN_ON}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          // Not `disabled`, which takes the focus and the taps.
          {...(why === undefined
            ? { onClick: () => dialog.open(device) }
            : { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': reason })}
        >
          {text.action}
        </Button>
      </Tooltip>
      {why === undefined ? null : (
        <Text id={reason} size="xs" c="dimmed">
          {why}
        </Text>
      )}
      <RebootDialog control={dialog} />
    </>
  );
}

/** Says what a reboot ends, and reboots the device. */
export function RebootDialog({ control }: { control: DialogControl<Device> }) {
  const [reboot] = deviceActionsApi.useRebootDeviceMutation();
  return (
    <Dialog control={control} title={text.action}>
      {(device) => (
        <Confirmation
          lead={text.lead(nameOf(device))}
          losses={text.losses}
          note={text.note}
          confirm={text.confirm}
          act={() => reboot({ id: device.id }).unwrap()}
          onDone={() => {
            control.close();
            succeeded(deviceActions.requestDone, text.detail(nameOf(device)));
          }}
          onCancel={control.close}
        />
      )}
    </Dialog>
  );
}
