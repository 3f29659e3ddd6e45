import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';
import { mayManageDevices, nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { failed, succeeded } from '../../lib/toast.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Presence } from '../../ui/Presence.tsx';
import classes from './DevicePage.module.css';

const text = messages.device;

/** Says that a device's console is off, and offers to enable it to people with permission. */
export function ConsoleOff({ device, lead }: { device: Device; lead: ReactNode }) {
  const manages = mayManageDevices(useSession());
  return (
    <div className={classes.off}>
      <div className={classes.bar}>
        {lead}
        <Presence device={device} withSince />
      </div>
      <div className={classes.middle}>
        <Empty
          title={text.consoleOff}
          text={manages ? text.consoleOffManage : text.consoleOffAsk}
          action={manages ? <Enable device={device} /> : null}
        />
      </div>
    </div>
  );
}

function Enable({ device }: { device: Device }) {
  const [set, state] = deviceActionsApi.useSetDeviceServiceMutation();
  const enable = () =>
    void set({ service: 'ssh', switch: 'enable', id: device.id, serial: device.serial })
      .unwrap()
      .then(
        () => succeeded(deviceActions.requestDone, deviceActions.consoleDetail(nameOf(device), true)),
        (error: unknown) => failed(error),
      );
  return (
    <Button loading={state.isLoading} onClick={enable}>
      {deviceActions.enableConsole}
    </Button>
  );
}
