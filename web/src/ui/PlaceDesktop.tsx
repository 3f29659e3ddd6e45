import { Text, TextInput } from '@mantine/core';
import { vncPort } from '@warren/rules/devices';
import { useState } from 'react';
import { deviceActionsApi } from '../lib/api/device-actions.ts';
import { errorText } from '../lib/api/errors.ts';
import type { Device } from '../lib/api/types.ts';
import { nameOf } from '../lib/device-access.ts';
import { desktop } from '../lib/messages/desktop.ts';
import { succeeded } from '../lib/toast.ts';
import { problemOf } from '../lib/validate.ts';
import { DialogForm } from './DialogForm.tsx';
import { ServerAddress } from './ServerAddress.tsx';

const text = desktop.place;

/** Sets the address of a device's VNC server. */
export function PlaceDesktop({ device, onClose }: { device: Device; onClose: () => void }) {
  const [set, state] = deviceActionsApi.useSetDeviceVncMutation();
  const [port, setPort] = useState(String(device.vnc_port));
  const [ipaddr, setAddress] = useState(device.vnc_ip);
  const problem = problemOf(vncPort, port);
  const name = nameOf(device);
  const confirm = async () => {
    const at = vncPort.parse(port);
    const answer = await set({ setVnc: { id: device.id, serial: device.serial, port: at, ipaddr } });
    if (answer.error) return;
    onClose();
    succeeded(text.done, text.detail(name, `${ipaddr}:${at}`));
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
      <Text>{text.lead(name)}</Text>
      <TextInput
        data-autofocus
        required
        autoComplete="off"
        maxLength={5}
        label={text.port}
        description={text.portNote}
        value={port}
        error={problem}
        onChange={(event) => setPort(event.currentTarget.value)}
      />
      <ServerAddress device={device} chosen={device.vnc_ip} value={ipaddr} onChange={setAddress} />
    </DialogForm>
  );
}
