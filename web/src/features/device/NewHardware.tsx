import { Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { mayEnrolDevices, nameOf } from '../../lib/device-access.ts';
import { replace } from '../../lib/messages/replace.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import { DevicePicker } from '../../ui/DevicePicker.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { useDialog } from '../../ui/useDialog.ts';

const text = replace.hardware;

/** Assigns the entry of a disconnected device to its new hardware; renders nothing otherwise. */
export function NewHardware({ device }: { device: Device }) {
  const dialog = useDialog<Device>();
  const session = useSession();
  if (device.status === 'Connected' || !mayEnrolDevices(session)) return null;
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(device)}>
        {text.action}
      </Button>
      <Dialog control={dialog} title={text.title}>
        {(old) => <ReplaceHardware old={old} onClose={dialog.close} />}
      </Dialog>
    </>
  );
}

function ReplaceHardware({ old, onClose }: { old: Device; onClose: () => void }) {
  const [replaceDevice, state] = deviceActionsApi.useReplaceDeviceMutation();
  const [fresh, setFresh] = useState<Device | null>(null);
  const confirm = async () => {
    if (!fresh) return;
    const answer = await replaceDevice({ id: fresh.id, replaceDevice: { replaces: old.id, new_hardware: true } });
    if (answer.error) return;
    onClose();
    succeeded(replace.done, text.detail(nameOf(old), fresh.serial));
  };
  const offers = ({ id, created }: Device) => id !== old.id && Date.parse(created) > Date.parse(old.created);
  return (
    <DialogForm
      problem={state.error && errorText(state.error)}
      confirm={replace.confirm}
      danger
      disabled={!fresh}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <div>
        <Text>{text.lead(nameOf(old))}</Text>
        <List mt={8} spacing={2}>
          {text.losses(old.serial).map((loss) => (
            <List.Item key={loss}>{loss}</List.Item>
          ))}
        </List>
      </div>
      <DevicePicker
        label={text.label}
        none={text.none}
        accountId={old.account.id}
        offers={offers}
        value={fresh}
        onChange={setFresh}
      />
      <Text c="dimmed">{replace.note}</Text>
    </DialogForm>
  );
}
