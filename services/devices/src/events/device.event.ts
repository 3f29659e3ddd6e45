import { newEvent, type Event } from '@warren/platform/events/event';

/** The actor of a change, and the former account of a moved device. */
interface Circumstances {
  actor?: string;
  previousAccountId?: string;
}

/** The event for a new or visibly changed device. */
export function deviceChanged(deviceId: string, accountId: string, circumstances: Circumstances = {}): Event {
  const { actor = '', previousAccountId = '' } = circumstances;
  return newEvent({ accountId, actor, kind: { case: 'deviceChanged', value: { deviceId, previousAccountId } } });
}

const MOST_IN_AN_EVENT = 1_000;

/** The events for devices with changed presence or labels: few for many devices. */
export function devicesChanged(devices: readonly { id: string; account_id: string }[], actor = ''): Event[] {
  return [...Map.groupBy(devices, ({ account_id: accountId }) => accountId)].flatMap(([accountId, members]) => {
    const ids = members.map(({ id }) => id);
    const pieces = Array.from({ length: Math.ceil(ids.length / MOST_IN_AN_EVENT) }, (_, piece) =>
      ids.slice(piece * MOST_IN_AN_EVENT, (piece + 1) * MOST_IN_AN_EVENT),
    );
    return pieces.map((deviceIds) =>
      newEvent({ accountId, actor, kind: { case: 'devicesChanged', value: { deviceIds } } }),
    );
  });
}

/** The event for a deleted device. */
export function deviceDeleted(deviceId: string, accountId: string, actor: string): Event {
  return newEvent({ accountId, actor, kind: { case: 'deviceDeleted', value: { deviceId } } });
}
