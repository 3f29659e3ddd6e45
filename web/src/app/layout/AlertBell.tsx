import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import { alertsPath, useClient } from '../../lib/client.ts';
import { bell as text } from '../../lib/messages/bell.ts';
import { useSession } from '../../lib/session.ts';
import { hint } from '../../ui/hint.ts';
import classes from './AlertBell.module.css';

/** What the badge has room for. */
const MOST = 99;

/** How many open alerts nobody has acknowledged, and the way to them. */
export function AlertBell() {
  const session = useSession();
  const [client] = useClient();
  const account = session.operator ? client : session.account;
  const { currentData } = api.useGetAlertCountsQuery(account === ALL ? {} : { account });
  const count = currentData?.unacknowledged ?? 0;
  const label = count === 0 ? text.none : text.open(count);
  return (
    <ActionIcon
      component={Link}
      to={alertsPath(session, client)}
      {...hint(label, 'below', classes.bell)}
      variant="subtle"
      color="gray"
      size="lg"
      // With the text that is seen, which voice control goes by (WCAG 2.2, success criterion 2.5.3).
      aria-label={count > MOST ? `${label}, shown as ${text.most}` : label}
    >
      <IconBell size={18} aria-hidden />
      {count > 0 ? (
        <span className={classes.count} data-critical={(currentData?.open.critical ?? 0) > 0 || undefined} aria-hidden>
          {count > MOST ? text.most : count}
        </span>
      ) : null}
    </ActionIcon>
  );
}
