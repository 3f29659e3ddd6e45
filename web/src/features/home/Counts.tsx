import { Anchor, Progress, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import { peopleApi } from '../../lib/api/people.ts';
import { useClient, usersPath } from '../../lib/client.ts';
import { home as text } from '../../lib/messages/home.ts';
import { percent, share } from '../../lib/format.ts';
import { number } from '../../lib/numbers.ts';
import { useSession } from '../../lib/session.ts';
import { Presence } from '../../ui/Presence.tsx';
import { Trend } from './Trend.tsx';
import classes from './HomePage.module.css';

export interface DeviceCounts {
  total: number;
  connected: number;
}

/** Connected devices of all. */
export function Counts(props: { devices: DeviceCounts | undefined; account: string | undefined; to: string }) {
  const { devices, account, to } = props;
  return (
    <section className={`${classes.card} ${classes.wide}`} aria-label={text.devices}>
      <h2 className={classes.cardHead}>{text.devices}</h2>
      <div className={classes.counts} style={{ minHeight: 132 }}>
        {devices ? <Figures {...devices} to={to} /> : <Skeleton height={96} />}
        {devices ? <Invitations account={account} /> : null}
        <Trend account={account} />
      </div>
    </section>
  );
}

function Figures({ total, connected, to }: DeviceCounts & { to: string }) {
  const portion = share(connected, total);
  return (
    <>
      <div className={classes.figures}>
        <span className={classes.figure}>{number(connected)}</span>
        <Text c="dimmed">{text.ofTotal(number(total))}</Text>
      </div>
      <Progress
        value={portion}
        size={6}
        radius="xl"
        color="var(--state-good)"
        aria-label={text.share(percent(portion))}
      />
      <div className={classes.split}>
        <Presence device={{ status: 'Connected' }} />
        <Anchor component={Link} to={`${to}?filter=status%3Dconnected`} size="sm" className={classes.count}>
          {number(connected)}
        </Anchor>
        <Presence device={{ status: 'Disconnected' }} />
        <Anchor component={Link} to={`${to}?filter=status%3Ddisconnected`} size="sm" className={classes.count}>
          {number(total - connected)}
        </Anchor>
      </div>
    </>
  );
}

/** Open invitations, for people who may list them. */
function Invitations({ account }: { account: string | undefined }) {
  const session = useSession();
  const [client] = useClient();
  const skip = !session.permissions.includes('invitations.list');
  const { data } = peopleApi.useListInvitationsQuery({ page: 1, limit: 1, ...(account ? { account } : {}) }, { skip });
  if (!data || data.total === 0) return null;
  return (
    <Anchor component={Link} to={usersPath(session, client)} size="sm" className={classes.pending}>
      {text.pending(data.total)}
    </Anchor>
  );
}
