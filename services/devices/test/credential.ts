import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import type { DevicesService } from '../src/devices/devices.service.ts';

/**
 * The credential of one device.
 * @throws Fault `not_found` when it is not among those that were asked for
 */
export async function credentialOf(devices: DevicesService, caller: Caller, deviceId: string) {
  const { credentials = [] } = await devices.credentials(caller, { deviceIds: [deviceId] });
  const [found] = credentials;
  if (!found) throw new Fault('not_found', `device ${deviceId}.`);
  return found;
}
