import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import type { GuestSession } from '../../lib/api/types.ts';
import { guestsApi } from '../../lib/api/guests.ts';
import { guest as guestText } from '../../lib/messages/guests.ts';
import { web as text } from '../../lib/messages/web.ts';
import { WebActions } from './WebActions.tsx';
import { WebFrame } from './WebFrame.tsx';
import classes from './WebPage.module.css';

/** A frame says nothing of the end of the access: its host only refuses requests. */
const LOOK_MS = 1_500;
/** In a tab that nobody sees. Often enough for the host to see that the guest is there. */
const HIDDEN_LOOK_MS = 10_000;

/** The web service that a guest link opens, with a bar above it, or the reason why it is unavailable. */
export function GuestWeb({ session, lead }: { session: GuestSession; lead: ReactNode }) {
  const [round, setRound] = useState(0);
  const [open] = guestsApi.useMakeGuestWebAddressMutation();
  const ask = useCallback((secret: string) => open({ makeWebAddress: { secret } }).unwrap(), [open]);
  const isHidden = useDocumentVisibility() === 'hidden';
  guestsApi.useGetGuestSessionQuery(undefined, { pollingInterval: isHidden ? HIDDEN_LOOK_MS : LOOK_MS });
  const { device: name, web, id } = session;
  const reason = obstacle(session);
  return (
    <div className={classes.page}>
      <div className={classes.bar} data-guest>
        <div className={classes.lead}>{lead}</div>
        {web ? <WebActions address={web.address} onReload={() => setRound(round + 1)} /> : null}
      </div>
      {web && reason === undefined ? (
        <WebFrame key={`${round} ${id} ${web.permissions.join(' ')}`} web={{ name, ...web }} ask={ask} studio="" />
      ) : (
        <div className={classes.middle} role="status">
          {reason}
        </div>
      )}
    </div>
  );
}

/** Why the web service is unavailable now; it opens by itself when that changes. */
function obstacle({ device, online, service }: GuestSession): string | undefined {
  if (service === 'off') return text.off(device);
  if (service === 'gone') return guestText.services.gone.join('. ');
  return online ? undefined : text.offline(device);
}
