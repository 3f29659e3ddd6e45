import { useCallback } from 'react';
import { api } from '../../lib/api/api.ts';
import type { Device } from '../../lib/api/types.ts';
import { webApi } from '../../lib/api/web.ts';
import { nameOf } from '../../lib/device-access.ts';
import { WebFrame } from './WebFrame.tsx';

/** The web service of a device, for a signed-in person. */
export function DeviceFrame({ device }: { device: Device }) {
  const [open] = webApi.useMakeWebAddressMutation();
  const studio = api.useGetWorkspaceQuery().data?.studio_origin ?? '';
  const { id, http_address: address, http_permissions: permissions } = device;
  const ask = useCallback((secret: string) => open({ id, makeWebAddress: { secret } }).unwrap(), [open, id]);
  return <WebFrame web={{ name: nameOf(device), address, permissions }} ask={ask} studio={studio} />;
}
