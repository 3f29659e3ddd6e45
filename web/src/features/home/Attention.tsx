import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Presence } from '../../ui/Presence.tsx';
import type { DeviceCounts } from './Counts.tsx';
import classes from './HomePage.module.css';

const text = messages.home;
const SHOWN = 6;

interface AttentionProps {
  devices: DeviceCounts | undefined;
  /** Only this account's; undefined for all that one may see. */
  account: string | undefined;
  /** Where the devices are listed. */
  to: string;
}

/** Devices that are away: the hub sorts those first in descending order of status. */
export function Attention({ devices, account, to }: AttentionProps) {
  const session = useSession();
  const { data } = api.useListDevicesQuery({
    page: 1,
    limit: SHOWN,
    sort: 'status',
    order: 'desc',
    ...(account ? { account } : {}),
  });
  const away = data?.devices.filter((device) => device.status !== 'Connected');
  const count = devices ? devices.total - devices.connected : 0;
  return (
    <section className={classes.card} aria-label={text.attention}>
      <h2 className={classes.cardHead} style={{ margin: 0 }}>
        {text.attention}
      </h2>
      {!away ? (
        <div className={classes.counts}>
          <Skeleton height={96} />
        </div>
      ) : away.length === 0 ? (
        <div className={classes.counts}>
          <Text c="dimmed">{text.attentionNone}</Text>
        </div>
      ) : (
        away.map((device) => (
          <div key={device.id} className={classes.item}>
            <Anchor component={Link} to={`${to}?device=${device.id}`} size="sm" truncate className={classes.itemName}>
              {device.custom_name || device.name}
            </Anchor>
            {session.operator ? (
              <Text size="xs" c="dimmed" truncate visibleFrom="xs">
                {device.account.name}
              </Text>
            ) : null}
            <Presence status={device.status} since={device.status_since} withSince />
          </div>
        ))
      )}
      {count > SHOWN ? (
        <div className={classes.item}>
          <Anchor component={Link} to={`${to}?order=desc`} size="sm">
            {text.more(count)}
          </Anchor>
        </div>
      ) : null}
    </section>
  );
}
