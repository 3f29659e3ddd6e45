import { Anchor, Tooltip } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Alert } from '../../../lib/api/types.ts';
import { duration, time } from '../../../lib/format.ts';
import { alerts } from '../../../lib/messages/alerts.ts';
import { messages } from '../../../lib/messages.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { Severity } from '../../../ui/Severity.tsx';
import { When } from '../../../ui/When.tsx';
import classes from './AlertsPage.module.css';
import type { AlertFilters } from './useAlertFilters.ts';

const text = alerts.list;

export const devicePath = ({ accountId, deviceId }: Pick<Alert, 'accountId' | 'deviceId'>): string =>
  `/devices/${accountId}/${deviceId}`;

/** The columns of the list of alerts. */
export function alertColumns(state: AlertFilters['state'], withAccount: boolean): Column<Alert>[] {
  const account: Column<Alert> = {
    id: 'account',
    label: alerts.account,
    width: '14%',
    roomyOnly: true,
    render: ({ accountId, accountName }) => (
      <Anchor component={Link} to={`/devices/${accountId}`} size="sm" c="inherit">
        {accountName}
      </Anchor>
    ),
  };
  return [
    {
      id: 'severity',
      label: alerts.severity,
      width: 'var(--severity-width)',
      render: ({ severity }) => <Severity value={severity} mayShrink />,
    },
    { id: 'device', label: text.device, render: (alert) => <Device alert={alert} state={state} /> },
    ...(withAccount ? [account] : []),
    { id: 'rule', label: text.rule, width: '16%', wideOnly: true, render: ({ ruleName }) => titled(ruleName) },
    { id: 'detail', label: text.detail, width: '22%', wideOnly: true, render: ({ detail }) => titled(detail) },
    {
      id: 'since',
      label: state === 'open' ? text.since : text.opened,
      width: 138,
      wideOnly: true,
      render: ({ openedAt }) => <When at={openedAt} />,
    },
    ...(state === 'closed' ? [{ id: 'lasted', label: text.lasted, width: 96, wideOnly: true, render: lasted }] : []),
    {
      id: 'acknowledged',
      label: text.acknowledged,
      width: '15%',
      roomyOnly: true,
      wideOnly: true,
      render: (alert) => <Acknowledged alert={alert} />,
    },
  ];
}

const titled = (value: string) => <span title={value}>{value}</span>;

/** How long an alert that is over was open. */
const lasted = ({ openedAt, closedAt }: Alert): string =>
  closedAt ? duration((Date.parse(closedAt) - Date.parse(openedAt)) / 1_000) : messages.common.unknown;

function Device({ alert, state }: { alert: Alert; state: AlertFilters['state'] }) {
  return (
    <>
      <span className={classes.device}>
        <Anchor component={Link} to={devicePath(alert)} size="sm">
          {alert.deviceName}
        </Anchor>
        {alert.silenced ? (
          <Tooltip label={text.silenced}>
            <IconBellOff size={15} role="img" aria-label={text.silencedShort} className={classes.silenced} />
          </Tooltip>
        ) : null}
        <span className={classes.time}>
          <When at={alert.openedAt} />
        </span>
      </span>
      <span className={classes.stacked}>
        {alert.ruleName}
        {alert.detail === '' ? null : <span className={classes.quiet}>{` · ${alert.detail}`}</span>}
        {state === 'closed' ? <span className={classes.quiet}>{` · ${text.lastedShort(lasted(alert))}`}</span> : null}
        {alert.acknowledged ? (
          <span className={classes.by}>{alerts.device.acknowledgedBy(alert.acknowledged.by)}</span>
        ) : null}
      </span>
    </>
  );
}

function Acknowledged({ alert: { acknowledged } }: { alert: Alert }) {
  if (!acknowledged) return <span className={classes.quiet}>{text.notYet}</span>;
  const { by, note, at } = acknowledged;
  const said = text.acknowledgedBy(by, note);
  return <span title={`${said} (${time(at)})`}>{said}</span>;
}
