import { Button, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';
import { mayEnrolDevices } from '../../lib/device-access.ts';
import { replace as text } from '../../lib/messages/replace.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/useDialog.ts';

/** Says that a device may be a reinstalled older one, and offers to restore the old entry; renders nothing otherwise. */
export function Replaces({ device }: { device: Device }) {
  const [replace] = deviceActionsApi.useReplaceDeviceMutation();
  const dialog = useDialog<{ id: string; name: string }>();
  const navigate = useNavigate();
  const session = useSession();
  if (!device.replaces || !mayEnrolDevices(session)) return null;
  const { replaces: old } = device;
  return (
    <Stack gap={6} role="note">
      <Text size="sm">{text.notice(old.name)}</Text>
      <Button variant="default" onClick={() => dialog.open(old)}>
        {text.action(old.name)}
      </Button>
      <Dialog control={dialog} title={text.title}>
        {({ id, name }) => (
          <Confirmation
            lead={text.lead(name)}
            losses={text.losses}
            note={text.note}
            confirm={text.confirm}
            act={() => replace({ id: device.id, replaceDevice: { replaces: id } }).unwrap()}
            onDone={() => {
              dialog.close();
              succeeded(text.done, text.detail(name));
              void navigate(`/device/ssh/${id}`);
            }}
            onCancel={dialog.close}
          />
        )}
      </Dialog>
    </Stack>
  );
}
