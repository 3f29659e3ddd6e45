import { Anchor, Button } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Device } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Presence } from '../../ui/Presence.tsx';
import classes from './columns.module.css';

const text = messages.devices;

/** The columns of the devices list; operator users also see whose device it is. */
export function deviceColumns(operator: boolean, onDetails: (id: string) => void): Column<Device>[] {
  const account: Column<Device> = {
    id: 'account',
    label: text.account,
    sort: 'account',
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
          <Presence status={device.status} since={device.status_since} withSince />
        </span>
      ),
    },
    { id: 'name', label: text.name, sort: 'name', render: (device) => <Name device={device} onDetails={onDetails} /> },
    ...(operator ? [account] : []),
    {
      id: 'address',
      label: text.address,
      width: 160,
      wideOnly: true,
      render: (device) => <span className="mono">{device.private_ip || '–'}</span>,
    },
    {
      id: 'web',
      label: text.web,
      width: 120,
      wideOnly: true,
      render: (device) =>
        device.http_enable === 'Yes' ? text.port(device.http_port) : <span className={classes.quiet}>{text.off}</span>,
    },
    {
      id: 'console',
      label: text.console,
      width: 'var(--console-width)',
      align: 'right',
      render: (device) => <Console device={device} />,
    },
  ];
}

function Name({ device, onDetails }: { device: Device; onDetails: (id: string) => void }) {
  const name = device.custom_name || device.name;
  return (
    <span className={classes.name}>
      <Anchor component="button" type="button" size="sm" truncate onClick={() => onDetails(device.id)}>
        {name}
      </Anchor>
      {name === device.name ? null : <span className={classes.host}>{device.name}</span>}
    </span>
  );
}

/** The way into the shell: only while the device is there and its console is enabled. */
function Console({ device }: { device: Device }) {
  if (device.ssh_enable !== 'Yes') return <span className={classes.quiet}>{text.off}</span>;
  if (device.status !== 'Connected') return <span className={classes.quiet}>–</span>;
  return (
    <Button
      component={Link}
      to={`/device/ssh/${device.id}`}
      size="compact-sm"
      variant="default"
      fw={400}
      aria-label={text.openConsole(device.custom_name || device.name)}
    >
      <IconTerminal2 size={15} aria-hidden />
      <span className={classes.word}>{text.open}</span>
    </Button>
  );
}
