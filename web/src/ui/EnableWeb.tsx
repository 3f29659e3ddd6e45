import { Select, Text, TextInput } from '@mantine/core';
import { httpPort } from '@warren/rules/devices';
import { useState } from 'react';
import { deviceActionsApi } from '../lib/api/device-actions.ts';
import { errorText } from '../lib/api/errors.ts';
import type { Device } from '../lib/api/types.ts';
import { nameOf } from '../lib/device-access.ts';
import { deviceActions } from '../lib/messages/device-actions.ts';
import { succeeded } from '../lib/toast.ts';
import { problemOf } from '../lib/validate.ts';
import { DialogForm } from './DialogForm.tsx';

const text = deviceActions.http;
const LOOPBACK = '127.0.0.1';

/** Turns a device's web service on, at the port where its website listens. */
export function EnableWeb({ device, onClose }: { device: Device; onClose: () => void }) {
  const [enable, state] = deviceActionsApi.useEnableDeviceHttpMutation();
  const [port, setPort] = useState(String(device.http_port));
  const addresses = addressesOf(device);
  const [ipaddr, setAddress] = useState(addresses.find((one) => one === device.http_ip) ?? LOOPBACK);
  const problem = problemOf(httpPort, port);
  const name = nameOf(device);
  const confirm = async () => {
    const at = httpPort.parse(port);
    const answer = await enable({ enableHttp: { id: device.id, serial: device.serial, port: at, ipaddr } });
    if (answer.error) return;
    onClose();
    succeeded(text.done, text.detail(name, at));
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
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        label={text.port}
        value={port}
        error={problem}
        onChange={(event) => setPort(event.currentTarget.value)}
      />
      {addresses.length > 1 ? (
        <Select
          label={text.address}
          description={text.addressNote}
          allowDeselect={false}
          data={addresses.map((value) => ({ value, label: value === LOOPBACK ? text.loopback(value) : value }))}
          value={ipaddr}
          onChange={(value) => setAddress(value ?? LOOPBACK)}
        />
      ) : null}
    </DialogForm>
  );
}

/** Where a website of the device can listen: its loopback, and the addresses that it is known by. */
function addressesOf({ http_ip: chosen, private_ip: own }: Device): string[] {
  return [...new Set([LOOPBACK, own, chosen])].filter((address) => address !== '');
}
