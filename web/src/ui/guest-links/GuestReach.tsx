import { Anchor, Text } from '@mantine/core';
import { guestsApi } from '../../lib/api/guests.ts';
import type { Device } from '../../lib/api/types.ts';
import { hasGuestLinks } from '../../lib/device-access.ts';
import { access } from '../../lib/messages/access.ts';
import { useSession } from '../../lib/session.ts';
import { Failure } from '../Failure.tsx';
import { GUEST_LINKS_ID, isValid } from './GuestLinks.tsx';

const text = access.reach;

/** The valid guest links to a device and the guests whom they have let in; nothing without one. Shares its call with the list of links. */
export function GuestReach({ device }: { device: Device }) {
  const session = useSession();
  const { currentData, error, refetch } = guestsApi.useListGuestLinksQuery({ id: device.id });
  if (error && !currentData) return <Failure title={text.guestsFailed} error={error} retry={refetch} />;
  const links = currentData?.links.filter(isValid) ?? [];
  if (links.length === 0) return null;
  const guests = links.flatMap((link) => link.guests.map(({ name }) => name));
  const show = () => {
    const list = document.getElementById(GUEST_LINKS_ID);
    list?.scrollIntoView({ block: 'start' });
    list?.focus({ preventScroll: true });
  };
  return (
    <Text mt={8}>
      {[text.guestLinks(links.length), ...(guests.length > 0 ? [text.guests(guests)] : [])].join(' ')}{' '}
      {hasGuestLinks(session, device) ? (
        <Anchor component="button" type="button" onClick={show}>
          {text.seeGuestLinks}
        </Anchor>
      ) : null}
    </Text>
  );
}
