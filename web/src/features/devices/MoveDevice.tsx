import { Text } from '@mantine/core';
import { useState } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { succeeded } from '../../lib/toast.ts';
import { AccountPicker } from '../../ui/AccountPicker.tsx';
import type { PickedAccount } from '../../ui/AccountPicker.tsx';
import { DialogForm } from '../../ui/DialogForm.tsx';

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
    succeeded(text.done, text.detail(nameOf(device), account.name));
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
