import { Button, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { guestsApi } from '../../lib/api/guests.ts';
import type { Device, GuestLink } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { time } from '../../lib/format.ts';
import { guestLinks as text } from '../../lib/messages/guests.ts';
import { failed, succeeded } from '../../lib/toast.ts';
import { Failure } from '../Failure.tsx';
import classes from './GuestLinks.module.css';

/** Where a page shows guest links. */
export const GUEST_LINKS_ID = 'guest-links';
/** Who has the device open is seen by asking. */
const LOOK_MS = 4_000;

/** Whether a link still admits guests, or those already admitted. */
export const isValid = ({ ended_at: ended, state }: GuestLink): boolean => ended === null && state !== 'expired';

/** The guest links to a device, with their guests; nothing without one. */
export function GuestLinks({ device }: { device: Device }) {
  const { currentData, error, refetch } = guestsApi.useListGuestLinksQuery(
    { id: device.id },
    { pollingInterval: LOOK_MS, skipPollingIfUnfocused: true },
  );
  const links = currentData?.links;
  useArrivals(device, links);
  if (error && !links) return <Failure title={text.failed} error={error} retry={refetch} />;
  if (!links || links.length === 0) return null;
  const current = links.filter(isValid);
  const past = links.length - current.length;
  return (
    <section aria-label={text.title} id={GUEST_LINKS_ID} tabIndex={-1}>
      <Title order={2} size="h4" mb={8}>
        {text.title}
      </Title>
      <ul className={classes.list}>
        {current.map((link) => (
          <Row key={link.id} device={device} link={link} />
        ))}
      </ul>
      {past > 0 ? (
        <Text size="sm" c="dimmed" mt={8}>
          {text.past(past)}
        </Text>
      ) : null}
    </section>
  );
}

function Row({ device, link }: { device: Device; link: GuestLink }) {
  const [end, ending] = guestsApi.useEndGuestLinkMutation();
  const { name, email } = link.maker;
  const opens = [text.purposes[link.purpose], ...(link.port === null ? [] : [text.port(link.port)])].join(', ');
  const about = text.about(opens, name || email);
  const act = async () => {
    const answer = await end({ id: device.id, link: link.id });
    if (answer.error) failed(answer.error, text.endFailed);
    else succeeded(text.ended, text.endedDetail);
  };
  const state = link.state === 'open' ? [] : [text.states[link.state]];
  const pins = link.wrong_pins > 0 ? [text.wrongPins(link.wrong_pins)] : [];
  const details = [
    ...state,
    text.uses_of(link.uses, link.most_uses),
    text.until(time(link.expires_at)),
    ...(link.pin ? [text.withPin] : []),
    ...pins,
  ];
  return (
    <li className={classes.link} aria-label={about}>
      <div>
        <Text fw={600}>{about}</Text>
        <Text size="sm" c="dimmed">
          {details.join(' · ')}
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        color="red"
        loading={ending.isLoading}
        aria-label={text.endOf(about)}
        onClick={() => void act()}
      >
        {text.end}
      </Button>
      <Guests link={link} />
    </li>
  );
}

function Guests({ link }: { link: GuestLink }) {
  if (link.guests.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {text.noGuests}
      </Text>
    );
  return (
    <ul className={classes.guests}>
      {link.guests.map((guest) => (
        <li key={guest.id} className={classes.guest}>
          <span>{guest.name}</span>
          {guest.live ? <span className={classes.live}>{text.live}</span> : null}
          <Text span size="sm" c="dimmed">
            {text.joined(time(guest.joined_at))} · <span className="mono">{guest.address}</span>
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** Announces guests who come while the page is open. */
function useArrivals(device: Device, links: readonly GuestLink[] | undefined): void {
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!links) return;
    const guests = links.flatMap((link) => link.guests);
    for (const { id, name } of known.current ? guests : [])
      if (!known.current?.has(id)) succeeded(text.arrived, text.arrivedDetail(name, nameOf(device)));
    known.current = new Set(guests.map(({ id }) => id));
  }, [links]);
}
