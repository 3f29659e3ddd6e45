import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import { httpPort, WEB_PERMISSIONS } from '@warren/rules/devices';
import { useState } from 'react';
import { deviceActionsApi } from '../lib/api/device-actions.ts';
import { errorText } from '../lib/api/errors.ts';
import type { Device } from '../lib/api/types.ts';
import { nameOf } from '../lib/device-access.ts';
import { deviceActions } from '../lib/messages/device-actions.ts';
import { succeeded } from '../lib/toast.ts';
import { problemOf } from '../lib/validate.ts';
import { DialogForm } from './DialogForm.tsx';
import { LOOPBACK, ServerAddress } from './ServerAddress.tsx';

const text = deviceActions.http;

/** Exposes a device's web service at its port. */
export function EnableWeb({ device, onClose }: { device: Device; onClose: () => void }) {
  const [enable, state] = deviceActionsApi.useEnableDeviceHttpMutation();
  const [port, setPort] = useState(String(device.http_port));
  const [ipaddr, setAddress] = useState(device.http_ip || LOOPBACK);
  const [host, setHost] = useState(device.http_host);
  const [permissions, setPermissions] = useState(device.http_permissions);
  const problem = problemOf(httpPort, port);
  const name = nameOf(device);
  const confirm = async () => {
    const at = httpPort.parse(port);
    const { id, serial } = device;
    const answer = await enable({ enableHttp: { id, serial, port: at, ipaddr, host, permissions } });
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
      <ServerAddress device={device} chosen={device.http_ip} value={ipaddr} onChange={setAddress} />
      <Select
        label={text.host}
        description={text.hostNote}
        allowDeselect={false}
        data={[
          { value: 'local', label: text.hosts.local(`${ipaddr}:${port}`) },
          { value: 'public', label: text.hosts.public(device.http_address) },
        ]}
        value={host}
        onChange={(value) => setHost(value === 'public' ? 'public' : 'local')}
      />
      <Permissions value={permissions} onChange={setPermissions} />
    </DialogForm>
  );
}

type Chosen = Device['http_permissions'];

/** Further permissions of the web service; all are off by default. */
function Permissions({ value, onChange }: { value: Chosen; onChange: (value: Chosen) => void }) {
  return (
    <Checkbox.Group
      label={text.permissions}
      description={text.permissionsNote}
      value={value}
      onChange={(names) => onChange(WEB_PERMISSIONS.filter((name) => names.includes(name)))}
    >
      <Stack gap={8} mt={8}>
        {WEB_PERMISSIONS.map((name) => (
          <Checkbox key={name} value={name} label={text.permission[name]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
