import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Notification } from '../../../lib/api/types.ts';
import { notificationsApi } from '../../../lib/api/notifications.ts';
import { time } from '../../../lib/format.ts';
import { alerts } from '../../../lib/messages/alerts.ts';
import { notifications as text } from '../../../lib/messages/channels.ts';
import { number } from '../../../lib/numbers.ts';
import { failed, succeeded } from '../../../lib/toast.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { When } from '../../../ui/When.tsx';
import classes from './channels.module.css';
import { StateMark, type DeliveryState } from './StateMark.tsx';

const LIMIT = 20;
const ALL = 'all';
const keyOf = ({ id }: Notification) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** What was sent to the channels of an account, the newest first. */
export function Notifications({ account }: { account: string }) {
  const [state, setState] = useState<DeliveryState | typeof ALL>(ALL);
  const [before, setBefore] = useState<string>();
  const { data, currentData, error, isFetching, refetch } = notificationsApi.useListNotificationsQuery({
    account,
    limit: LIMIT,
    ...(state !== ALL && { state }),
    ...(before !== undefined && { before }),
  });
  const rows = data?.notifications;
  const choose = (next: string) => {
    setState(next as typeof state);
    setBefore(undefined);
  };
  return (
    <section aria-label={text.title}>
      <div className={classes.head}>
        <h2 className={classes.title}>{text.title}</h2>
        <SegmentedControl
          size="xs"
          aria-label={text.state}
          value={state}
          data={[
            { value: ALL, label: text.all },
            ...Object.entries(text.states).map(([value, label]) => ({ value, label })),
          ]}
          onChange={choose}
        />
      </div>
      {error && !currentData ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <DataTable
          label={text.title}
          columns={COLUMNS}
          rows={rows}
          rowKey={keyOf}
          state={ORDER}
          onSort={unsorted}
          busy={isFetching && !currentData}
          empty={state === ALL ? <Empty title={text.none} text={text.noneText} /> : <Empty title={text.noneOf} />}
        />
      )}
      {before !== undefined || rows?.length === LIMIT ? (
        <div className={classes.footer}>
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={before === undefined}
            onClick={() => setBefore(undefined)}
          >
            {alerts.list.newest}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={rows === undefined || rows.length < LIMIT}
            onClick={() => setBefore(rows?.at(-1)?.id)}
          >
            {alerts.list.older}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

const COLUMNS: Column<Notification>[] = [
  {
    id: 'state',
    label: text.columns.state,
    width: 116,
    render: ({ state }) => <StateMark state={state} label={text.states[state]} />,
  },
  { id: 'what', label: text.columns.what, render: (notification) => <What notification={notification} /> },
  {
    id: 'channel',
    label: text.columns.channel,
    width: '18%',
    wideOnly: true,
    render: ({ channelName }) => <span title={channelName}>{channelName}</span>,
  },
  {
    id: 'when',
    label: text.columns.when,
    width: 128,
    wideOnly: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
  {
    id: 'attempts',
    label: text.columns.attempts,
    width: 84,
    align: 'right',
    wideOnly: true,
    roomyOnly: true,
    render: ({ attempts }) => number(attempts),
  },
  {
    id: 'actions',
    label: text.columns.actions,
    hiddenLabel: true,
    width: 88,
    align: 'right',
    render: (notification) => (notification.state === 'failed' ? <Retry notification={notification} /> : null),
  },
];

/** What it was about, and why it has not arrived. */
function What({ notification: { title, lastError, nextAttempt, state } }: { notification: Notification }) {
  const note = [
    ...(lastError && state !== 'delivered' ? [lastError] : []),
    ...(nextAttempt && state === 'waiting' ? [text.nextAttempt(time(nextAttempt))] : []),
  ].join(', ');
  return (
    <span className={classes.two}>
      <span title={title}>{title}</span>
      {note === '' ? null : (
        <span className={classes.note} title={note}>
          {note}
        </span>
      )}
    </span>
  );
}

function Retry({ notification: { id, title } }: { notification: Notification }) {
  const [retry, { isLoading }] = notificationsApi.useRetryNotificationMutation();
  const act = () =>
    void retry({ id })
      .unwrap()
      .then(
        () => succeeded(text.retried, text.retriedDetail),
        (error: unknown) => failed(error),
      );
  return (
    <Button size="compact-sm" variant="default" loading={isLoading} aria-label={text.retryOf(title)} onClick={act}>
      {text.retry}
    </Button>
  );
}
