import { newEvent, type Event } from '@warren/platform/events/event';

/** Who did it, and what account the device was in before, if it moved. */
interface Circumstances {
  actor?: string;
  previousAccountId?: string;
}

/** The event for a device that is new or shows something different now. */
export function deviceChanged(deviceId: string, accountId: string, circumstances: Circumstances = {}): Event {
  const { actor = '', previousAccountId = '' } = circumstances;
  return newEvent({ accountId, actor, kind: { case: 'deviceChanged', value: { deviceId, previousAccountId } } });
}

/** The event for a device that is no more. */
export function deviceDeleted(deviceId: string, accountId: string, actor: string): Event {
  return newEvent({ accountId, actor, kind: { case: 'deviceDeleted', value: { deviceId } } });
}
