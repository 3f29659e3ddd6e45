import { Loader } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { WebAddress } from '../../lib/api/types.ts';
import { web as text } from '../../lib/messages/web.ts';
import { Failure } from '../../ui/Failure.tsx';
import { useFrameHeight } from './useFrameHeight.ts';
import classes from './WebPage.module.css';

/** A web service, as its frame needs to know it. */
interface FramedWeb {
  /** Name of the device. */
  name: string;
  /** Its host, without a scheme. */
  address: string;
  permissions: readonly string[];
}

/** Permissions that applications need. Those with effects beyond the frame are enabled per device. */
const SANDBOX = [
  'allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock allow-presentation',
  'allow-popups allow-popups-to-escape-sandbox',
];
const TOP_NAVIGATION = 'allow-top-navigation-by-user-activation';

function sandboxOf({ permissions }: FramedWeb): string {
  return [...SANDBOX, ...(permissions.includes('top-navigation') ? [TOP_NAVIGATION] : [])].join(' ');
}

/** Names the origin explicitly: a frame without `src` has none to refer to. */
function featuresOf({ permissions, address }: FramedWeb): string {
  const features = ['fullscreen', 'clipboard-write', ...permissions.filter((one) => one !== 'top-navigation')];
  return features.map((feature) => `${feature} ${window.location.protocol}//${address}`).join('; ');
}

const SECRET_BYTES = 32;

/** A secret of this page: a leaked ticket is worthless without it. */
function newSecret(): string {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

interface WebFrameProps {
  web: FramedWeb;
  /** Asks for a ticket for a secret of this page. It stays the same function for the same web service. */
  ask: (secret: string) => Promise<WebAddress>;
  /** An origin beside the device's own whose resize messages are heard; empty for none. */
  studio: string;
}

type Ticket = WebAddress & { secret: string };

/** A web service on its separate host, opened with a one-time ticket that works only in this frame of this browser. */
export function WebFrame({ web, ask, studio }: WebFrameProps) {
  const [round, setRound] = useState(0);
  const [ticket, setTicket] = useState<Ticket>();
  const [error, setError] = useState<unknown>();
  const [loaded, setLoaded] = useState(false);
  const height = useFrameHeight(web.address, studio);
  useEffect(() => {
    let left = false;
    const secret = newSecret();
    ask(secret).then(
      (answer) => {
        if (!left) setTicket({ ...answer, secret });
      },
      (problem: unknown) => {
        if (!left) setError(problem);
      },
    );
    return () => {
      left = true;
      setTicket(undefined);
      setError(undefined);
    };
  }, [ask, round]);
  if (error !== undefined) {
    return (
      <div className={classes.failure}>
        <Failure title={text.failed} error={error} retry={() => setRound(round + 1)} />
      </div>
    );
  }
  return (
    <div className={classes.stage}>
      {loaded ? null : (
        <div className={classes.cover}>
          <Loader size={36} aria-label={text.loading} role="status" />
        </div>
      )}
      {ticket ? (
        <TicketFrame
          web={web}
          url={ticket.url}
          fields={{ ticket: ticket.ticket, secret: ticket.secret }}
          height={height}
          onLoad={() => setLoaded(true)}
        />
      ) : null}
    </div>
  );
}

interface TicketFrameProps {
  web: FramedWeb;
  url: string;
  fields: Record<string, string>;
  /** Pixels; undefined fills the page. */
  height: number | undefined;
  onLoad: () => void;
}

/** A frame that posts its ticket: a form keeps it out of addresses, the history and logs. */
function TicketFrame({ web, url, fields, height, onLoad }: TicketFrameProps) {
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const posted = useRef('');
  useEffect(() => {
    // Effects run twice in development; a ticket works once.
    if (posted.current === fields.ticket) return;
    posted.current = fields.ticket ?? '';
    form.current?.submit();
  }, [fields.ticket]);
  return (
    <>
      <form ref={form} method="post" action={url} target={name} hidden>
        {Object.entries(fields).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} readOnly />
        ))}
      </form>
      <iframe
        className={classes.frame}
        style={height === undefined ? undefined : { height, flex: 'none' }}
        title={text.label(web.name)}
        name={name}
        sandbox={sandboxOf(web)}
        allow={featuresOf(web)}
        // The initial empty page fires a load event too.
        onLoad={() => posted.current !== '' && onLoad()}
      />
    </>
  );
}
