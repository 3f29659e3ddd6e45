import { Text } from '@mantine/core';
import { useDocumentTitle, useDocumentVisibility } from '@mantine/hooks';
import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { statusOf } from '../../lib/api/errors.ts';
import type { GuestSession } from '../../lib/api/types.ts';
import { guestsApi } from '../../lib/api/guests.ts';
import { time } from '../../lib/format.ts';
import { guest as text } from '../../lib/messages/guests.ts';
import type { Ticket } from '../../sockets/ticket.ts';
import { Invitation } from './Invitation.tsx';
import { Closed, Loading, Notice, Unopened } from './notices.tsx';
import { useGuestTicket } from './useGuestTicket.ts';

/** The end of the access is seen by asking, even if nothing is open. */
const LOOK_MS = 3_000;
/** In a tab that nobody sees. */
const HIDDEN_LOOK_MS = 10_000;

/** State of the page in the browser's history, which a reload keeps. */
const JOINED = 'joined';

/** What a guest opens, without a session of a user. */
export interface GuestStageProps {
  session: GuestSession;
  lead: ReactNode;
  ticket: () => Promise<Ticket>;
}

/** What a guest link leads to: who invites, and then what the link opens. Needs no session of a user. */
export function GuestPage({ stage }: { stage: ComponentType<GuestStageProps> }) {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  useDocumentTitle(`${text.title} · Warren`);
  // The address keeps the secret no longer than it is needed.
  const [secret, setSecret] = useState(() => location.hash.slice(1));
  const { data, error, isLoading, isFetching, refetch } = guestsApi.useGetGuestSessionQuery();
  const isOut = statusOf(error) === 401;
  if (isLoading) return <Loading />;
  // While the hub does not answer, the terminal or desktop reconnects by itself.
  if (data?.id === id && !isOut) return <Visit session={data} stage={stage} />;
  if (data?.id === id) return <Closed state="ended" />;
  if (error && !isOut) return <Unopened error={error} retry={refetch} />;
  // Also right after the guest has joined.
  if (secret === '' && isFetching) return <Loading />;
  if (secret === '' && state === JOINED) return <Closed state="ended" />;
  if (secret === '') return <Notice title={text.incomplete} note={text.incompleteText} />;
  const join = () => {
    setSecret('');
    void navigate({ hash: '' }, { replace: true, state: JOINED });
    void refetch();
  };
  return <Invitation id={id} secret={secret} onJoined={join} />;
}

function Visit({ session, stage: Stage }: { session: GuestSession; stage: ComponentType<GuestStageProps> }) {
  const ticket = useGuestTicket();
  const isHidden = useDocumentVisibility() === 'hidden';
  // Only while there is an access that can end.
  guestsApi.useGetGuestSessionQuery(undefined, { pollingInterval: isHidden ? HIDDEN_LOOK_MS : LOOK_MS });
  const lead = (
    <div data-guest style={{ minWidth: 0 }}>
      <Text component="h1" truncate fw={600} m={0} fz={14}>
        {session.device}
      </Text>
      <Text truncate fz={12} c="dimmed">
        {text.lead(session.host, time(session.expires_at))}
      </Text>
    </div>
  );
  return <Stage session={session} lead={lead} ticket={ticket} />;
}
