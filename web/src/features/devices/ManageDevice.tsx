import { Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { undoable } from '../../ui/undoable.tsx';

const text = deviceActions.manage;

export type Service = 'ssh' | 'http';

interface ManageDeviceProps {
  device: Device;
  /** The service that the person is about to turn off. */
  off: Service;
  onClose: () => void;
}

/** The two services of a device, as switches, and the effect of turning one off. */
export function ManageDevice({ device, off, onClose }: ManageDeviceProps) {
  const [set, state] = deviceActionsApi.useSetDeviceServiceMutation();
  const now = { ssh: device.ssh_enable === 'Yes', http: device.http_enable === 'Yes' };
  const [wanted, setWanted] = useState({ ...now, [off]: false });
  const changed = (['ssh', 'http'] as const).filter((service) => wanted[service] !== now[service]);
  const turn = (service: Service, on: boolean) =>
    set({ service, switch: on ? 'enable' : 'disable', id: device.id, serial: device.serial });
  const undo = async () => {
    for (const service of changed) await turn(service, now[service]).unwrap();
  };
  const confirm = async () => {
    for (const service of changed) {
      const answer = await turn(service, wanted[service]);
      if (answer.error) return;
    }
    onClose();
    const details = changed.map((service) => detail(device, service, wanted[service]));
    undoable(deviceActions.requestDone, details.join(' '), undo);
  };
  const ends = [
    ...(now.ssh && !wanted.ssh ? [text.consoleEnds] : []),
    ...(now.http && !wanted.http ? [text.webEnds] : []),
  ];
  return (
    <DialogForm
      problem={state.error && errorText(state.error)}
      confirm={text.confirm}
      danger={ends.length > 0}
      disabled={changed.length === 0}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.lead(nameOf(device))}</Text>
      <Stack gap="sm">
        <Switch
          label={text.console}
          aria-label={text.console}
          description={text.consoleNote}
          checked={wanted.ssh}
          onChange={(event) => setWanted({ ...wanted, ssh: event.currentTarget.checked })}
        />
        <Switch
          label={text.web}
          aria-label={text.web}
          description={text.webNote(device.http_port)}
          checked={wanted.http}
          onChange={(event) => setWanted({ ...wanted, http: event.currentTarget.checked })}
        />
      </Stack>
      {ends.length > 0 ? (
        <Text c="var(--state-warn)" role="status">
          {ends.join(' ')}
        </Text>
      ) : null}
    </DialogForm>
  );
}

function detail(device: Device, service: Service, on: boolean): string {
  const name = nameOf(device);
  return service === 'ssh' ? deviceActions.consoleDetail(name, on) : deviceActions.webDetail(name, on);
}
