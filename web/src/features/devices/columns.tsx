import { ActionIcon, Anchor, Button, Group, Skeleton } from '@mantine/core';
import { IconDeviceDesktop, IconTerminal2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Device } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { isConsoleOpen, isDesktopOpen, isWebOpen, nameOf } from '../../lib/device-access.ts';
import { desktop } from '../../lib/messages/desktop.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { share, wholePercent } from '../../lib/format.ts';
import { fleet } from '../../lib/messages/fleet.ts';
import { decimal, number } from '../../lib/numbers.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { LabelChips } from '../../ui/LabelChips.tsx';
import { When } from '../../ui/When.tsx';
import { webPath, webUrl } from '../../ui/DeviceAddress.tsx';
import { Copied } from '../../ui/Copied.tsx';
import { Presence } from '../../ui/Presence.tsx';
import { columnLabel, isLabel, keyOf, ROOM_FOR, type DeviceColumn } from './column-ids.ts';
import { DeviceMenu } from './DeviceMenu.tsx';
import { DeviceName } from './DeviceName.tsx';
import { isSpark, SPARKS, type SparkColumn } from './sparks/spark-values.ts';
import { Sparkline } from './sparks/Sparkline.tsx';
import type { Sparks } from './sparks/useSparks.ts';
import type { DeviceDialogControls } from './useDeviceDialogs.ts';
import classes from './columns.module.css';

const text = messages.devices;

interface DeviceColumnsOptions {
  /** Operator users also see the device's account. */
  operator: boolean;
  /** The chosen columns besides those that are always there. */
  chosen: readonly DeviceColumn[];
  onDetails: (id: string) => void;
  onFilter: (term: string) => void;
  sparks: Sparks;
  /** Null for people without actions. */
  dialogs: DeviceDialogControls | null;
}

/** The columns of the devices list. */
export function deviceColumns(options: DeviceColumnsOptions): Column<Device>[] {
  const { operator, chosen, onDetails, onFilter, dialogs } = options;
  const shown = chosen.filter((id) => id !== 'account' || operator);
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
    {
      id: 'name',
      label: text.name,
      sort: 'name',
      // With many columns the table scrolls, and the name keeps its room.
      ...(shown.length > ROOM_FOR ? { width: 220 } : {}),
      render: (device) => (
        <DeviceName device={device} onDetails={onDetails} onFilter={shown.includes('labels') ? undefined : onFilter} />
      ),
    },
    ...shown.map((id) => optional(id, options)),
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

function optional(id: DeviceColumn, { onFilter, sparks }: DeviceColumnsOptions): Column<Device> {
  const column = { id, label: columnLabel(id), wideOnly: true };
  if (isLabel(id)) {
    const key = keyOf(id);
    const render = ({ labels }: Device) => <LabelValue label={key} value={labels[key]} onFilter={onFilter} />;
    return { ...column, sort: id, width: 128, roomyOnly: true, render };
  }
  if (isSpark(id)) {
    // A day is sorted by its latest value.
    const render = (device: Device) => <Spark sparks={sparks} device={device} column={id} />;
    return { ...column, sort: SPARKS[id], width: 152, render };
  }
  switch (id) {
    case 'account':
      return {
        ...column,
        sort: 'account',
        width: 'var(--account-width)',
        render: (device) => <Account device={device} />,
      };
    case 'labels':
      return {
        ...column,
        width: '22%',
        roomyOnly: true,
        render: ({ labels }) => <LabelChips labels={labels} most={3} onFilter={onFilter} />,
      };
    case 'address':
      return {
        ...column,
        sort: 'address',
        width: 168,
        roomyOnly: true,
        render: (device) => <Address device={device} />,
      };
    case 'web':
      return { ...column, width: 'var(--web-width)', render: (device) => <Web device={device} /> };
    case 'lastSeen':
      return { ...column, sort: 'last_seen', width: 128, render: (device) => <LastSeen device={device} /> };
    case 'os':
      return { ...column, sort: 'os', width: 180, roomyOnly: true, render: ({ os }) => shortText(os) };
    case 'model':
      return { ...column, sort: 'model', width: 180, roomyOnly: true, render: ({ model }) => shortText(model) };
    case 'agent':
      return { ...column, sort: 'agent_version', width: 92, render: (device) => shortText(device.agent_version) };
    case 'created':
      return { ...column, sort: 'created', width: 128, render: ({ created }) => <When at={created} /> };
    default:
      return { ...column, ...USAGE[id], align: 'right' };
  }
}

/** Numbers that a device reports; a dash where it has not. */
const USAGE: Record<
  'cpu' | 'memory' | 'disk' | 'load' | 'temperature',
  Pick<Column<Device>, 'sort' | 'width' | 'render'>
> = {
  cpu: { sort: 'cpu', width: 84, render: (device) => reported(device, () => wholePercent(device.cpu_usage)) },
  memory: {
    sort: 'memory',
    width: 96,
    render: (device) => reported(device, () => wholePercent(share(device.used_ram, device.total_ram))),
  },
  disk: {
    sort: 'disk',
    width: 84,
    render: (device) => (
      <span title={device.fullest_disk ?? '/'}>{reported(device, () => wholePercent(diskUsage(device)))}</span>
    ),
  },
  load: { sort: 'load', width: 84, render: ({ load }) => (load === null ? NONE : decimal(load)) },
  temperature: {
    sort: 'temperature',
    width: 118,
    render: (device) => (device.temperature === null ? NONE : `${number(device.temperature)} °C`),
  },
};

/** Of the fullest disk; of the root where the agent tells of no other. */
const diskUsage = ({ fullest_disk_usage: usage, used_disk: used, total_disk: total }: Device) =>
  usage ?? share(used, total);

const NONE = <span className={classes.quiet}>–</span>;

const reported = (device: Device, show: () => string) => (device.facts_at === null ? NONE : show());

const shortText = (value: string) => (value === '' ? NONE : <span title={value}>{value}</span>);

function Spark({ sparks, device, column }: { sparks: Sparks; device: Device; column: SparkColumn }) {
  const values = sparks(device.id, column);
  if (values === undefined) return <Skeleton height={12} />;
  return values ? <Sparkline title={columnLabel(column)} values={values} /> : NONE;
}

function Account({ device }: { device: Device }) {
  return (
    <Anchor component={Link} to={`/devices/${device.account.id}`} size="sm" c="inherit">
      {device.account.name}
    </Anchor>
  );
}

function LastSeen({ device }: { device: Device }) {
  return device.status === 'Connected' ? <>{fleet.columns.now}</> : <When at={device.status_since} />;
}

/** The value of one label; a click filters by it. */
function LabelValue(props: { label: string; value: string | undefined; onFilter: (term: string) => void }) {
  const { label, value, onFilter } = props;
  if (value === undefined) return NONE;
  const term = value === '' ? `label:${label}` : `${label}=${value}`;
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      c="inherit"
      title={fleet.filter.add(term)}
      onClick={() => onFilter(term)}
    >
      {value === '' ? fleet.labels.there : value}
    </Anchor>
  );
}

const actions = (dialogs: DeviceDialogControls): Column<Device> => ({
  id: 'actions',
  label: deviceActions.menu,
  hiddenLabel: true,
  width: 'var(--actions-width)',
  align: 'right',
  render: (device) => <DeviceMenu device={device} dialogs={dialogs} withPage />,
});

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
  if (!isConsoleOpen(device) && !isDesktopOpen(device)) return <span className={classes.quiet}>–</span>;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {isConsoleOpen(device) ? (
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
      ) : null}
      {isDesktopOpen(device) ? (
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
      ) : null}
    </Group>
  );
}
