import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { alertsApi } from '../lib/api/alerts.ts';
import type { Device } from '../lib/api/types.ts';
import { alertsPath } from '../lib/client.ts';
import { alerts } from '../lib/messages/alerts.ts';
import { useSession } from '../lib/session.ts';
import classes from './DeviceAlerts.module.css';
import { Severity } from './Severity.tsx';
import { When } from './When.tsx';

const text = alerts.device;
const MOST = 5;

/** The open alerts of a device; nothing without any. */
export function DeviceAlerts({ device: { id, account } }: { device: Pick<Device, 'id' | 'account'> }) {
  const session = useSession();
  const { currentData } = alertsApi.useListAlertsQuery({ account: account.id, device: id, state: 'open', limit: MOST });
  // It adds to a page that is useful without it.
  if (!currentData || currentData.total === 0) return null;
  const path = alertsPath(session, account.id);
  return (
    <section aria-label={text.title} className={classes.root}>
      <h2 className={classes.title}>{text.title}</h2>
      <ul className={classes.list}>
        {currentData.alerts.map((alert) => (
          <li key={alert.id} className={classes.alert}>
            <span className={classes.severity}>
              <Severity value={alert.severity} />
            </span>
            <span className={classes.words}>
              {alert.ruleName}
              {alert.detail === '' ? null : <span className={classes.quiet}>{` · ${alert.detail}`}</span>}
            </span>
            <span className={classes.quiet}>
              <When at={alert.openedAt} />
              {alert.acknowledged ? `, ${text.acknowledgedBy(alert.acknowledged.by)}` : null}
            </span>
          </li>
        ))}
      </ul>
      <Anchor component={Link} to={`${path}${path.includes('?') ? '&' : '?'}device=${id}`} size="sm">
        {currentData.total > MOST ? text.allOf(currentData.total) : text.all}
      </Anchor>
    </section>
  );
}
