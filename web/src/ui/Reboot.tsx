import { Button, Text, Tooltip, VisuallyHidden } from '@mantine/core';
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

const text = deviceActions.reboot;
/** A finger does not hover: a tap shows why the button does nothing, as the focus does. */
const SHOWN_ON = { hover: true, focus: true, touch: true };

/** Reboots the device after a confirmation. */
export function Reboot({ device, isCompact = false }: { device: Device; isCompact?: boolean }) {
  const [reboot] = deviceActionsApi.useRebootDeviceMutation();
  const dialog = useDialog<Device>();
  const offline = device.status !== 'Connected';
  const name = nameOf(device);
  const reason = useId();
  return (
    <>
      <Tooltip label={text.offline} disabled={!offline} events={SHOWN_ON}>
        <Button
          variant="default"
          size={isCompact ? 'compact-sm' : 'sm'}
          leftSection={<IconRefresh size={isCompact ? 15 : 16} aria-hidden />}
          // Not `disabled`, which takes the focus and the taps.
          {...(offline
            ? { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': reason }
            : { onClick: () => dialog.open(device) })}
        >
          {text.action}
        </Button>
      </Tooltip>
      {offline ? <Reason id={reason} isHidden={isCompact} /> : null}
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

/** Why there is no reboot: below the button, where there is room. */
function Reason({ id, isHidden }: { id: string; isHidden: boolean }) {
  if (isHidden) return <VisuallyHidden id={id}>{text.offline}</VisuallyHidden>;
  return (
    <Text id={id} size="xs" c="dimmed">
      {text.offline}
    </Text>
  );
}
