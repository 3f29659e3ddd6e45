import { Button, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/useDialog.ts';

const text = deviceActions.reboot;

/** Reboots the device after a confirmation. */
export function Reboot({ device }: { device: Device }) {
  const [reboot] = deviceActionsApi.useRebootDeviceMutation();
  const dialog = useDialog<Device>();
  const offline = device.status !== 'Connected';
  const name = nameOf(device);
  return (
    <>
      <Tooltip label={text.offline} disabled={!offline}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          disabled={offline}
          onClick={() => dialog.open(device)}
        >
          {text.action}
        </Button>
      </Tooltip>
      <Dialog control={dialog} title={text.action}>
        {() => (
          <Confirmation
            lead={text.lead(name)}
            losses={text.losses}
            note={text.note}
            confirm={text.confirm}
            act={() => reboot({ id: device.id }).unwrap()}
            onDone={() => {
              dialog.close();
              succeeded(deviceActions.requestDone, text.detail(name));
            }}
            onCancel={dialog.close}
          />
        )}
      </Dialog>
    </>
  );
}
