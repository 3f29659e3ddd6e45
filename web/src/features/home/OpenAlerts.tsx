import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { alertsPath, useClient } from '../../lib/client.ts';
import { messages } from '../../lib/messages.ts';
import { number } from '../../lib/numbers.ts';
import { useSession } from '../../lib/session.ts';
import { SEVERITIES, Severity } from '../../ui/Severity.tsx';
import classes from './HomePage.module.css';

const text = messages.home;

/** How many alerts are open, by severity. */
export function OpenAlerts({ account }: { account: string | undefined }) {
  const session = useSession();
  const [client] = useClient();
  // The same question as the bell's, so that it is asked once.
  const { currentData } = api.useGetAlertCountsQuery(
    account || !session.operator ? { account: account ?? session.account } : {},
  );
  const path = alertsPath(session, client);
  const withSeverity = (severity: string) => `${path}${path.includes('?') ? '&' : '?'}severity=${severity}`;
  const open = SEVERITIES.map((severity) => ({ severity, count: currentData?.open[severity] ?? 0 }));
  const total = open.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className={classes.card} aria-label={text.alerts}>
      <h2 className={classes.cardHead}>
        {text.alerts}
        {total > 0 ? (
          <Anchor component={Link} to={path} size="sm" fw={400} className={classes.all}>
            {text.seeAll(number(total))}
          </Anchor>
        ) : null}
      </h2>
      {!currentData ? (
        <div className={classes.counts}>
          <Skeleton height={96} />
        </div>
      ) : total === 0 ? (
        <div className={classes.counts}>
          <Text c="dimmed">{text.alertsNone}</Text>
        </div>
      ) : (
        <ul className={classes.list}>
          {open.map(({ severity, count }) => (
            <li key={severity} className={classes.item}>
              <span className={classes.itemName}>
                <Severity value={severity} />
              </span>
              <Anchor component={Link} to={withSeverity(severity)} size="sm" className={classes.count}>
                {number(count)}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
