import { Loader } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { Device } from '../../lib/api/types.ts';
import { webApi } from '../../lib/api/web.ts';
import { nameOf } from '../../lib/device-access.ts';
import { web } from '../../lib/messages/web.ts';
import { Failure } from '../../ui/Failure.tsx';
import { useFrameHeight } from './useFrameHeight.ts';
import classes from './WebPage.module.css';

/** Permissions that applications need. Those with effects beyond the frame are enabled per device. */
const SANDBOX = [
  'allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock allow-presentation',
  'allow-popups allow-popups-to-escape-sandbox',
];
const TOP_NAVIGATION = 'allow-top-navigation-by-user-activation';

function sandboxOf({ http_permissions: permissions }: Device): string {
  return [...SANDBOX, ...(permissions.includes('top-navigation') ? [TOP_NAVIGATION] : [])].join(' ');
}

/** Names the origin explicitly: a frame without `src` has none to refer to. */
function featuresOf({ http_permissions: permissions, http_address: address }: Device): string {
  const features = ['fullscreen', 'clipboard-write', ...permissions.filter((one) => one !== 'top-navigation')];
  return features.map((feature) => `${feature} ${window.location.protocol}//${address}`).join('; ');
}

const SECRET_BYTES = 32;

/** A secret of this page: a leaked ticket is worthless without it. */
function newSecret(): string {
  const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The web service on its separate host, opened with a one-time ticket that works only in this frame of this browser. */
export function DeviceFrame({ device }: { device: Device }) {
  const [open, { data, error, originalArgs }] = webApi.useMakeWebAddressMutation();
  const [loaded, setLoaded] = useState(false);
  const height = useFrameHeight(device.http_address);
  useEffect(() => {
    const asked = open(request(device.id));
    return () => asked.reset();
  }, [open, device.id]);
  if (error) {
    return (
      <div className={classes.failure}>
        <Failure title={web.failed} error={error} retry={() => void open(request(device.id))} />
      </div>
    );
  }
  return (
    <div className={classes.stage}>
      {loaded ? null : (
        <div className={classes.cover}>
          <Loader size={36} aria-label={web.loading} role="status" />
        </div>
      )}
      {data && originalArgs ? (
        <TicketFrame
          device={device}
          url={data.url}
          fields={{ ticket: data.ticket, secret: originalArgs.makeWebAddress.secret }}
          height={height}
          onLoad={() => setLoaded(true)}
        />
      ) : null}
    </div>
  );
}

const request = (id: string) => ({ id, makeWebAddress: { secret: newSecret() } });

interface TicketFrameProps {
  device: Device;
  url: string;
  fields: Record<string, string>;
  /** Pixels; undefined fills the page. */
  height: number | undefined;
  onLoad: () => void;
}

/** A frame that posts its ticket: a form keeps it out of addresses, the history and logs. */
function TicketFrame({ device, url, fields, height, onLoad }: TicketFrameProps) {
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
        title={web.label(nameOf(device))}
        name={name}
        sandbox={sandboxOf(device)}
        allow={featuresOf(device)}
        // The initial empty page fires a load event too.
        onLoad={() => posted.current !== '' && onLoad()}
      />
    </>
  );
}
