/**
 * Milliseconds that a device counts as reconnecting after its link broke: links return within seconds, also during an update of the hub.
 * Short enough that a lost device shows Disconnected within 15 s.
 */
export const RECONNECTING_MS = 10_000;

export type PresenceWord = 'Connected' | 'Reconnecting' | 'Disconnected';

/** The fields of a device that its presence depends on; ISO times. */
export interface PresenceFacts {
  id?: string;
  status: string;
  status_since?: string;
  created?: string;
}

/**
 * Returns the word for a device's presence. A device that was never connected is not reconnecting: its status is as old as itself.
 * @param now ms since epoch, by the hub's clock
 */
export function presenceWord({ status, status_since: since, created }: PresenceFacts, now: number): PresenceWord {
  if (status === 'Connected') return 'Connected';
  return since !== undefined && since !== created && now - Date.parse(since) < RECONNECTING_MS
    ? 'Reconnecting'
    : 'Disconnected';
}
