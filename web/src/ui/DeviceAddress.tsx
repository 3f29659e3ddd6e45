import { Anchor } from '@mantine/core';
import { api } from '../lib/api/api.ts';
import type { Device } from '../lib/api/types.ts';
import { isWebOpen } from '../lib/device-access.ts';

/** Returns whether this hub serves web services; undefined until it is loaded. */
export function useDevicePages(): boolean | undefined {
  const { data } = api.useGetWorkspaceQuery();
  return data && (data.features['web'] ?? false);
}

/** Returns the path of the page that frames a device's web service. */
export const webPath = (device: Device): string => `/device/web/${device.http_address}`;

/** Returns the URL of a device's web service; empty without an address. */
export const webUrl = ({ http_address: address }: Device): string =>
  address && `${window.location.protocol}//${address}`;

/** Shows the address of a device's web service, as a link while it is reachable. */
export function DeviceAddress({ device }: { device: Device }) {
  const served = useDevicePages();
  if (!device.http_address) return <>–</>;
  if (!served || !isWebOpen(device)) return <span className="mono">{device.http_address}</span>;
  return (
    <Anchor
      className="mono"
      href={webUrl(device)}
      target="_blank"
      rel="noreferrer"
      style={{ overflowWrap: 'anywhere' }}
    >
      {device.http_address}
    </Anchor>
  );
}
