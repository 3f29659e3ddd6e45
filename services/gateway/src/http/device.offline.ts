import { Fault } from '@warren/platform/errors/fault';

const RETRY_AFTER_S = 10;

/** A device that has to be connected is not. Unlike other faults of this code, its text is for people. */
export class DeviceOffline extends Fault {
  constructor(cause?: unknown) {
    super('unavailable', 'device is not connected.', { cause, retryAfter: RETRY_AFTER_S });
  }
}
