import { Fault } from '@warren/platform/errors/fault';

const RETRY_AFTER_S = 10;

/** The device is not connected. Unlike other faults with this code, its text is for people. */
export class DeviceOffline extends Fault {
  constructor(cause?: unknown) {
    super('unavailable', 'device is not connected.', { cause, retryAfter: RETRY_AFTER_S });
  }
}
