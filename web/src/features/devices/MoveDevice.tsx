import { Text } from '@mantine/core';
import { useState } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { AccountPicker } from '../../ui/AccountPicker.tsx';
import type { PickedAccount } from '../../ui/AccountPicker.tsx';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { undoable } from '../../ui/undoable.tsx';

const text = deviceActions.move;

/** Moves a device into another account. */
export function MoveDevice({ device, onClose }: { device: Device; onClose: () => void }) {
  const [move, state] = deviceActionsApi.useChangeDeviceAccountMutation();
  const [account, setAccount] = useState<PickedAccount | null>(null);
  const confirm = async () => {
    if (!account) return;
    const answer = await move({ changeAccount: { id: device.id, account: account.id } });
    if (answer.error) return;
    onClose();
    const undo = () => move({ changeAccount: { id: device.id, account: device.account.id } }).unwrap();
    undoable(text.done, text.detail(nameOf(device), account.name), undo);
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.failed)}
      confirm={text.confirm}
      disabled={!account}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.lead(nameOf(device), device.account.name)}</Text>
      <AccountPicker label={text.label} except={device.account.id} value={account} onChange={setAccount} />
      <Text c="dimmed">{text.note(device.account.name)}</Text>
    </DialogForm>
  );
}
