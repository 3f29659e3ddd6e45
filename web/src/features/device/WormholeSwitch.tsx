import { Button, Group, Switch } from '@mantine/core';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { messages } from '../../lib/messages.ts';
import { failed } from '../../lib/toast.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EnableWeb } from '../../ui/EnableWeb.tsx';
import { undoable } from '../../ui/undoable.tsx';
import { useDialog } from '../../ui/useDialog.ts';

/** Exposes a web service of the device, after asking for its port, or stops that at once. */
export function WormholeSwitch({ device }: { device: Device }) {
  const [set, state] = deviceActionsApi.useSetDeviceServiceMutation();
  const dialog = useDialog<Device>();
  const on = device.http_enable === 'Yes';
  const turn = (to: 'enable' | 'disable') =>
    set({ service: 'http', switch: to, id: device.id, serial: device.serial }).unwrap();
  const stop = () =>
    void turn('disable').then(
      () => undoable(deviceActions.requestDone, deviceActions.webDetail(nameOf(device), false), () => turn('enable')),
      (error: unknown) => failed(error),
    );
  return (
    <>
      <Group justify="space-between" w="100%">
        <Switch
          label={on ? messages.device.wormholeOn : messages.device.wormholeOff}
          aria-label={messages.device.wormhole}
          checked={on}
          disabled={state.isLoading}
          onChange={() => (on ? stop() : dialog.open(device))}
        />
        {on ? (
          <Button size="xs" variant="default" onClick={() => dialog.open(device)}>
            {deviceActions.http.change}
          </Button>
        ) : null}
      </Group>
      <Dialog control={dialog} title={deviceActions.http.title}>
        {(subject) => <EnableWeb device={subject} onClose={dialog.close} />}
      </Dialog>
    </>
  );
}
