import { Anchor, Button } from '@mantine/core';
import { IconKey, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import type { NotificationChannel } from '../../../lib/api/types.ts';
import { notificationsApi } from '../../../lib/api/notifications.ts';
import { channels as text } from '../../../lib/messages/channels.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { EnableSwitch } from '../../../ui/EnableSwitch.tsx';
import { RowMenu, type RowAction } from '../../../ui/RowMenu.tsx';
import { When } from '../../../ui/When.tsx';
import { spanText } from '../span.ts';
import classes from './channels.module.css';
import { StateMark } from './StateMark.tsx';
import { useTest } from './useTest.ts';

interface ChannelColumnsOptions {
  edit: (channel: NotificationChannel) => void;
  rotate: (channel: NotificationChannel) => void;
  remove: (channel: NotificationChannel) => void;
}

/** The columns of the list of channels. */
export function channelColumns(options: ChannelColumnsOptions): Column<NotificationChannel>[] {
  return [
    {
      id: 'on',
      label: text.columns.on,
      width: 'var(--switch-width)',
      render: (channel) => <Enabled channel={channel} />,
    },
    {
      id: 'channel',
      label: text.columns.channel,
      render: (channel) => <Channel channel={channel} onOpen={options.edit} />,
    },
    {
      id: 'target',
      label: text.columns.target,
      width: '18%',
      wideOnly: true,
      render: ({ target }) => <Target target={target} />,
    },
    {
      id: 'alerts',
      label: text.columns.alerts,
      width: '18%',
      roomyOnly: true,
      wideOnly: true,
      render: (channel) => <Told channel={channel} />,
    },
    {
      id: 'last',
      label: text.columns.last,
      width: '20%',
      wideOnly: true,
      render: (channel) => <Last channel={channel} />,
    },
    {
      id: 'test',
      label: text.test,
      hiddenLabel: true,
      width: 108,
      align: 'right',
      wideOnly: true,
      render: (channel) => <Test channel={channel} />,
    },
    {
      id: 'actions',
      label: text.columns.actions,
      hiddenLabel: true,
      width: 56,
      align: 'right',
      render: (channel) => <Actions channel={channel} options={options} />,
    },
  ];
}

function Enabled({ channel: { id, name, enabled } }: { channel: NotificationChannel }) {
  const [change, { isLoading }] = notificationsApi.useUpdateChannelMutation();
  return (
    <EnableSwitch
      label={text.enable(name)}
      enabled={enabled}
      disabled={isLoading}
      change={(on) => change({ id, updateChannel: { enabled: on } }).unwrap()}
    />
  );
}

interface ChannelProps {
  channel: NotificationChannel;
  onOpen: (channel: NotificationChannel) => void;
}

function Channel({ channel, onOpen }: ChannelProps) {
  return (
    <span className={classes.two}>
      <Anchor component="button" type="button" size="sm" onClick={() => onOpen(channel)}>
        {channel.name}
      </Anchor>
      <span className={classes.note}>{text.kinds[channel.kind]}</span>
      <span className={classes.stacked}>
        <Last channel={channel} />
      </span>
    </span>
  );
}

function Target({ target: { addresses, url } }: Pick<NotificationChannel, 'target'>) {
  const all = addresses && addresses.length > 0 ? addresses.join(', ') : (url ?? '');
  return (
    <span className={url ? 'mono' : undefined} title={all}>
      {all}
    </span>
  );
}

/** The alerts that a channel gets, and when. */
function Told({ channel: { minSeverity, afterMinutes, quiet } }: { channel: NotificationChannel }) {
  const notes = [
    ...(afterMinutes > 0 ? [text.afterShort(spanText(afterMinutes))] : []),
    ...(quiet ? [text.quietShort(quiet.from, quiet.to)] : []),
  ].join(', ');
  return (
    <span className={classes.two} title={notes}>
      <span>{text.from[minSeverity]}</span>
      {notes === '' ? null : <span className={classes.note}>{notes}</span>}
    </span>
  );
}

function Last({ channel: { lastSuccess, lastFailure, lastError } }: { channel: NotificationChannel }) {
  const at = [lastSuccess, lastFailure].map((moment) => (moment ? Date.parse(moment) : 0)) as [number, number];
  if (at[0] === 0 && at[1] === 0) return <span className={classes.quiet}>{text.never}</span>;
  const isFailed = at[1] > at[0];
  return (
    <span className={classes.two} title={(isFailed && lastError) || undefined}>
      <StateMark state={isFailed ? 'failed' : 'delivered'} label={isFailed ? text.lastFailed : text.delivered} />
      <span className={classes.note}>
        <When at={isFailed ? lastFailure : lastSuccess} />
        {isFailed && lastError ? `: ${lastError}` : null}
      </span>
    </span>
  );
}

function Test({ channel }: { channel: NotificationChannel }) {
  const { test, isBusy } = useTest(channel);
  return (
    <Button size="compact-sm" variant="default" loading={isBusy} aria-label={text.testOf(channel.name)} onClick={test}>
      {text.test}
    </Button>
  );
}

function Actions({ channel, options }: { channel: NotificationChannel; options: ChannelColumnsOptions }) {
  const { test } = useTest(channel);
  const actions: RowAction[] = [
    { label: text.edit, icon: IconPencil, act: () => options.edit(channel) },
    { label: text.test, icon: IconSend, act: test },
    ...(channel.kind === 'webhook' ? [{ label: text.rotate, icon: IconKey, act: () => options.rotate(channel) }] : []),
    { label: text.remove, icon: IconTrash, danger: true, act: () => options.remove(channel) },
  ];
  return <RowMenu name={channel.name} actions={actions} />;
}
