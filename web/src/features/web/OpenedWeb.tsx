import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { web } from '../../lib/messages/web.ts';
import { useDevicePages } from '../../ui/DeviceAddress.tsx';
import { Presence } from '../../ui/Presence.tsx';
import { DeviceFrame } from './DeviceFrame.tsx';
import { WebActions } from './WebActions.tsx';
import classes from './WebPage.module.css';

/**
 * A device's web service with a bar above it, or the reason why it is unavailable.
 * @param props.embedded one of several views on a page, which shows the device's name and state already
 */
export function OpenedWeb({ device, embedded = false }: { device: Device; embedded?: boolean }) {
  const [round, setRound] = useState(0);
  const served = useDevicePages();
  const reason = obstacle(device);
  return (
    <div className={classes.page}>
      <div className={classes.bar} data-embedded={embedded || undefined}>
        {embedded ? null : (
          <>
            <Text component="h1" truncate fw={600} m={0} fz={14}>
              {nameOf(device)}
            </Text>
            <Presence device={device} withSince />
          </>
        )}
        <Text className={`${classes.address} mono`} truncate c="dimmed" fz={12}>
          {device.http_address}
        </Text>
        <WebActions address={device.http_address} onReload={() => setRound(round + 1)} />
      </div>
      {reason === undefined && served ? (
        <DeviceFrame
          key={`${round} ${device.http_port} ${device.http_ip} ${device.http_permissions.join(' ')}`}
          device={device}
        />
      ) : (
        <div className={classes.middle}>{reason ?? (served === false ? web.unserved : '')}</div>
      )}
    </div>
  );
}

/** Why the web service is unavailable now; it opens by itself when that changes. */
function obstacle(device: Device): string | undefined {
  if (device.http_enable !== 'Yes') return web.off(nameOf(device));
  return device.status === 'Connected' ? undefined : web.offline(nameOf(device));
}
