import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { Device } from '../../lib/api/types.ts';
import { useClient, usersPath } from '../../lib/client.ts';
import { nameOf } from '../../lib/device-access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Presence } from '../../ui/Presence.tsx';
import type { DeviceCounts } from './Counts.tsx';
import classes from './HomePage.module.css';

const text = messages.home;
const SHOWN = 6;

interface AttentionProps {
  devices: DeviceCounts | undefined;
  /** The account; undefined for all accessible ones. */
  account: string | undefined;
  /** The path of the devices' list. */
  to: string;
}

/** Items that need attention: disconnected devices, and open invitations. */
export function Attention({ devices, account, to }: AttentionProps) {
  const away = useAway(account);
  const pending = usePending(account);
  const count = devices ? devices.total - devices.connected : 0;
  const busy = !away || pending === undefined;
  return (
    <section className={classes.card} aria-label={text.attention}>
      <h2 className={classes.cardHead}>{text.attention}</h2>
      {busy ? (
        <div className={classes.counts}>
          <Skeleton height={96} />
        </div>
      ) : away.length === 0 && pending === 0 ? (
        <div className={classes.counts}>
          <Text c="dimmed">{text.attentionNone}</Text>
        </div>
      ) : (
        <>
          {pending > 0 ? <Pending count={pending} /> : null}
          <div className={`${classes.list} ${classes.away}`}>
            {away.map((device) => (
              <Away key={device.id} device={device} to={to} />
            ))}
          </div>
        </>
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

/** In descending order of status, the hub lists disconnected devices first. */
function useAway(account: string | undefined): Device[] | undefined {
  const { data } = api.useListDevicesQuery({
    page: 1,
    limit: SHOWN,
    sort: 'status',
    order: 'desc',
    ...(account ? { account } : {}),
  });
  return data?.devices.filter((device) => device.status !== 'Connected');
}

/** The number of open invitations; 0 for people without access to them. */
function usePending(account: string | undefined): number | undefined {
  const skip = !useSession().permissions.includes('invitations.list');
  const { data, isError } = peopleApi.useListInvitationsQuery(
    { page: 1, limit: 1, ...(account ? { account } : {}) },
    { skip },
  );
  return skip || isError ? 0 : data?.total;
}

function Pending({ count }: { count: number }) {
  const session = useSession();
  const [client] = useClient();
  return (
    <div className={classes.item}>
      <Anchor component={Link} to={usersPath(session, client)} size="sm">
        {text.pending(count)}
      </Anchor>
    </div>
  );
}

function Away({ device, to }: { device: Device; to: string }) {
  const session = useSession();
  return (
    <div className={classes.item}>
      <Anchor component={Link} to={`${to}?device=${device.id}`} size="sm" truncate className={classes.itemName}>
        {nameOf(device)}
      </Anchor>
      {session.operator ? (
        <Text size="xs" c="dimmed" truncate visibleFrom="xs">
          {device.account.name}
        </Text>
      ) : null}
      <Presence device={device} withSince />
    </div>
  );
}
