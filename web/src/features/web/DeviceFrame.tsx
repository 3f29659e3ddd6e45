import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Device } from '../../lib/api/types.ts';
import { webApi } from '../../lib/api/web.ts';
import { nameOf } from '../../lib/device-access.ts';
import { web } from '../../lib/messages/web.ts';
import { Failure } from '../../ui/Failure.tsx';
import { useFrameHeight } from './useFrameHeight.ts';
import classes from './WebPage.module.css';

/** All that an application needs, but to take the console away without the person having asked for it. */
const ALLOWED = [
  'allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock allow-presentation',
  'allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
].join(' ');

/** The page itself, on the host of its own, opened by an address that works once. */
export function DeviceFrame({ device }: { device: Device }) {
  const [open, { data, error }] = webApi.useMakeWebAddressMutation();
  const [loaded, setLoaded] = useState(false);
  const height = useFrameHeight(device.http_address);
  useEffect(() => {
    const asked = open({ id: device.id });
    return () => asked.reset();
  }, [open, device.id]);
  if (error) {
    return (
      <div className={classes.failure}>
        <Failure title={web.failed} error={error} retry={() => void open({ id: device.id })} />
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
      {data ? (
        <iframe
          className={classes.frame}
          style={height === undefined ? undefined : { height, flex: 'none' }}
          title={web.label(nameOf(device))}
          src={data.url}
          sandbox={ALLOWED}
          allow="fullscreen; clipboard-read; clipboard-write"
          onLoad={() => setLoaded(true)}
        />
      ) : null}
    </div>
  );
}
