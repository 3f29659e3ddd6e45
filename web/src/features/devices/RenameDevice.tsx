import { TextInput } from '@mantine/core';
import { customName } from '@warren/rules/devices';
import { useState } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { problemOf } from '../../lib/validate.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { undoable } from '../../ui/undoable.tsx';

const text = deviceActions.rename;

/** Gives a device the name that people call it. */
export function RenameDevice({ device, onClose }: { device: Device; onClose: () => void }) {
  const [rename, state] = deviceActionsApi.useChangeDeviceHostnameMutation();
  const [name, setName] = useState(nameOf(device));
  const problem = problemOf(customName, name);
  const confirm = async () => {
    const wanted = customName.parse(name);
    const answer = await rename({ changeHostname: { id: device.id, custom_name: wanted } });
    if (answer.error) return;
    onClose();
    const undo = () => rename({ changeHostname: { id: device.id, custom_name: nameOf(device) } }).unwrap();
    undoable(text.done, text.detail(wanted), undo);
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.failed)}
      confirm={text.confirm}
      disabled={problem !== undefined}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        required
        autoComplete="off"
        label={text.label}
        description={text.note(device.name)}
        value={name}
        error={problem}
        onChange={(event) => setName(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
      />
    </DialogForm>
  );
}
