import { Anchor, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Activity } from '../../lib/api/types.ts';
import { historyApi } from '../../lib/api/history.ts';
import { history as text } from '../../lib/messages/history.ts';
import { useSession } from '../../lib/session.ts';
import { Failure } from '../../ui/Failure.tsx';
import { When } from '../../ui/When.tsx';
import classes from './HomePage.module.css';
import { useChoice } from './useChoice.ts';

const SHOWN = 12;
/** Events whose subject no longer has a page. */
const GONE: Activity['kind'][] = ['deleted', 'moved_out'];

/** Recent events of devices, newest first. */
export function Lately({ account, to }: { account: string | undefined; to: string }) {
  const [topic, choose] = useChoice('events', TOPICS);
  const { data, error, refetch } = historyApi.useListActivityQuery({
    limit: SHOWN,
    topic,
    ...(account ? { account } : {}),
  });
  return (
    <section className={`${classes.card} ${classes.wide}`} aria-label={text.lately}>
      <div className={classes.cardHead}>
        <h2 className={classes.cardTitle}>{text.lately}</h2>
        <SegmentedControl
          size="xs"
          aria-label={text.topic}
          className={classes.all}
          data={TOPICS.map((value) => ({ value, label: text.topics[value] }))}
          value={topic}
          onChange={choose}
        />
      </div>
      {data ? (
        <Happenings activity={data.activity} to={to} />
      ) : (
        <div className={classes.counts}>
          {error ? <Failure title={text.failed} error={error} retry={refetch} /> : <Skeleton height={160} />}
        </div>
      )}
    </section>
  );
}

const TOPICS = ['all', 'links', 'changes'] as const;

function Happenings({ activity, to }: { activity: Activity[]; to: string }) {
  if (activity.length === 0)
    return (
      <div className={classes.counts}>
        <Text c="dimmed">{text.nothing}</Text>
      </div>
    );
  const gone = new Set(activity.filter(({ kind }) => GONE.includes(kind)).map(({ device }) => device.id));
  return (
    <ul className={classes.list}>
      {activity.map((one) => (
        <Happening key={one.id} one={one} to={gone.has(one.device.id) ? null : `${to}?device=${one.device.id}`} />
      ))}
    </ul>
  );
}

function Happening({ one, to }: { one: Activity; to: string | null }) {
  const session = useSession();
  return (
    <li className={classes.item}>
      <span className={classes.happening}>
        {to === null ? (
          <Text span size="sm" fw={600}>
            {one.device.name}
          </Text>
        ) : (
          <Anchor component={Link} to={to} size="sm" fw={600}>
            {one.device.name}
          </Anchor>
        )}{' '}
        <Text span size="sm">
          {text.what(one)}
        </Text>
        {one.actor ? (
          <Text span size="sm" c="dimmed">
            {' '}
            {text.by(one.actor)}
          </Text>
        ) : null}
      </span>
      {session.operator ? (
        <Text size="xs" c="dimmed" truncate visibleFrom="xs">
          {one.account.name}
        </Text>
      ) : null}
      <Text size="xs" c="dimmed" span className={classes.when}>
        <When at={one.at} />
      </Text>
    </li>
  );
}
