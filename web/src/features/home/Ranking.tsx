import { Anchor, Progress, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { GetOverviewApiResponse } from '../../lib/api/generated/history.ts';
import { devicePath } from '../../lib/device-access.ts';
import { percent } from '../../lib/format.ts';
import { home as text } from '../../lib/messages/home.ts';
import { number } from '../../lib/numbers.ts';
import { useSession } from '../../lib/session.ts';
import { When } from '../../ui/When.tsx';
import classes from './HomePage.module.css';

const FULL = 90;

export type RankingName = Exclude<keyof GetOverviewApiResponse, 'versions'>;
type RankedDevice = GetOverviewApiResponse[RankingName]['devices'][number];

/** How the list behind a ranking is sorted. */
const SORTS: Readonly<Record<RankingName, string>> = {
  longest_offline: 'last_seen',
  fullest_disks: 'disk',
  least_memory: 'memory',
  hottest: 'temperature',
  newest: 'created',
  failed_updates: 'last_seen',
};

interface RankingProps {
  name: RankingName;
  overview: GetOverviewApiResponse | undefined;
  /** The path of the devices' list. */
  to: string;
}

/** The first devices of a ranking, with a way to all of them. */
export function Ranking({ name, overview, to }: RankingProps) {
  const { title, none } = text.rankings[name];
  const ranking = overview?.[name];
  const query = new URLSearchParams({ filter: ranking?.filter ?? '', sort: SORTS[name], order: 'desc' });
  return (
    <section className={classes.card} aria-label={title}>
      <h2 className={classes.cardHead}>
        {title}
        {ranking && ranking.total > 0 ? (
          <Anchor component={Link} to={`${to}?${query.toString()}`} size="sm" fw={400} className={classes.all}>
            {text.seeAll(number(ranking.total))}
          </Anchor>
        ) : null}
      </h2>
      {!ranking ? (
        <div className={classes.counts}>
          <Skeleton height={188} />
        </div>
      ) : ranking.devices.length === 0 ? (
        <div className={classes.counts}>
          <Text c="dimmed">{none}</Text>
        </div>
      ) : (
        <ol className={classes.list}>
          {ranking.devices.map((device) => (
            <Ranked key={device.id} name={name} device={device} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Ranked({ name, device }: { name: RankingName; device: RankedDevice }) {
  const session = useSession();
  return (
    <li className={classes.item}>
      <span className={classes.itemName}>
        <Anchor component={Link} to={devicePath(device)} size="sm" truncate display="block">
          {device.name}
        </Anchor>
        {session.operator ? (
          <Text size="xs" c="dimmed" truncate>
            {device.account.name}
          </Text>
        ) : null}
      </span>
      <Value name={name} device={device} />
    </li>
  );
}

function Value({ name, device }: { name: RankingName; device: RankedDevice }) {
  if (name === 'longest_offline' || name === 'newest')
    return (
      <Text size="xs" c="dimmed" span className={classes.when}>
        <When at={name === 'newest' ? device.created : device.status_since} />
      </Text>
    );
  if (device.value === null) return null;
  if (name === 'hottest') return <span className={classes.count}>{number(device.value)} °C</span>;
  return (
    <span className={classes.bar}>
      <Progress
        value={device.value}
        size={6}
        radius="xl"
        color={device.value >= FULL ? 'var(--state-bad)' : 'var(--state-warn)'}
        aria-hidden
      />
      <span className={classes.count}>{percent(device.value)}</span>
    </span>
  );
}
