import { newEvent, type Event } from '@warren/platform/events/event';

/** The event for a device that is new or shows something different now. */
export function deviceChanged(deviceId: string, accountId: string): Event {
  return newEvent({ accountId, kind: { case: 'deviceChanged', value: { deviceId } } });
}
