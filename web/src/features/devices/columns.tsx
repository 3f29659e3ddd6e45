import { ActionIcon, Anchor, Button, Group } from '@mantine/core';
import { IconDeviceDesktop, IconTerminal2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Device } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { isConsoleOpen, isWebOpen, nameOf } from '../../lib/device-access.ts';
import { desktop } from '../../lib/messages/desktop.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { webPath, webUrl } from '../../ui/DeviceAddress.tsx';
import { Cloned } from '../../ui/Cloned.tsx';
import { Copied } from '../../ui/Copied.tsx';
import { Presence } from '../../ui/Presence.tsx';
import { DeviceMenu } from './DeviceMenu.tsx';
import type { DeviceDialogControls } from './useDeviceDialogs.ts';
import classes from './columns.module.css';

const text = messages.devices;

interface DeviceColumnsOptions {
  /** Operator users also see the device's account. */
  operator: boolean;
  onDetails: (id: string) => void;
  /** Null for people without actions. */
  dialogs: DeviceDialogControls | null;
}

/** The columns of the devices list. */
export function deviceColumns({ operator, onDetails, dialogs }: DeviceColumnsOptions): Column<Device>[] {
  const account: Column<Device> = {
    id: 'account',
    label: text.account,
    sort: 'account',
    width: 'var(--account-width)',
    wideOnly: true,
    render: (device) => (
      <Anchor component={Link} to={`/devices/${device.account.id}`} size="sm" c="inherit">
        {device.account.name}
      </Anchor>
    ),
  };
  return [
    {
      id: 'status',
      label: text.status,
      sort: 'status',
      width: 'var(--status-width)',
      render: (device) => (
        <span className={classes.status}>
          <Presence device={device} withSince />
        </span>
      ),
    },
    { id: 'name', label: text.name, sort: 'name', render: (device) => <Name device={device} onDetails={onDetails} /> },
    ...(operator ? [account] : []),
    {
      id: 'address',
      label: text.address,
      width: 168,
      roomyOnly: true,
      render: (device) => <Address device={device} />,
    },
    {
      id: 'web',
      label: text.web,
      width: 'var(--web-width)',
      wideOnly: true,
      render: (device) => <Web device={device} />,
    },
    {
      id: 'console',
      label: text.console,
      width: 'var(--console-width)',
      align: 'right',
      render: (device) => <Console device={device} />,
    },
    ...(dialogs ? [actions(dialogs)] : []),
  ];
}

const actions = (dialogs: DeviceDialogControls): Column<Device> => ({
  id: 'actions',
  label: deviceActions.menu,
  hiddenLabel: true,
  width: 'var(--actions-width)',
  align: 'right',
  render: (device) => <DeviceMenu device={device} dialogs={dialogs} />,
});

function Name({ device, onDetails }: { device: Device; onDetails: (id: string) => void }) {
  const name = nameOf(device);
  return (
    <span className={classes.name}>
      <Anchor component="button" type="button" size="sm" truncate onClick={() => onDetails(device.id)}>
        {name}
      </Anchor>
      {name === device.name ? null : <span className={classes.host}>{device.name}</span>}
      <Cloned device={device} short />
    </span>
  );
}

function Address({ device }: { device: Device }) {
  const label = text.addressOf(nameOf(device));
  return (
    <span className="mono">
      <Copied inRow label={label} value={device.private_ip} />
    </span>
  );
}

/** Links to the exposed web service, while the device is connected and the service is enabled. */
function Web({ device }: { device: Device }) {
  if (device.http_enable !== 'Yes') return <span className={classes.quiet}>{text.off}</span>;
  if (!isWebOpen(device)) return <span className={classes.quiet}>–</span>;
  return (
    <Copied inRow label={text.urlOf(nameOf(device))} value={webUrl(device)}>
      <Anchor
        component={Link}
        to={webPath(device)}
        size="sm"
        aria-label={text.openWeb(nameOf(device), device.http_port)}
      >
        {text.port(device.http_port)}
      </Anchor>
    </Copied>
  );
}

/** Links to the shell and the desktop: only while the device is connected and its console is enabled. */
function Console({ device }: { device: Device }) {
  if (device.ssh_enable !== 'Yes') return <span className={classes.quiet}>{text.off}</span>;
  if (!isConsoleOpen(device)) return <span className={classes.quiet}>–</span>;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        component={Link}
        to={`/device/ssh/${device.id}`}
        size="compact-sm"
        variant="default"
        fw={400}
        aria-label={text.openConsole(nameOf(device))}
      >
        <IconTerminal2 size={15} aria-hidden />
        <span className={classes.word}>{text.open}</span>
      </Button>
      <ActionIcon
        component={Link}
        to={`/device/rdp/${device.id}`}
        className={classes.desktop}
        variant="default"
        size={26}
        aria-label={desktop.openOf(nameOf(device))}
      >
        <IconDeviceDesktop size={15} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
