/**
 * How long a device that has just gone counts as coming back: links break and return within seconds, also when the hub is updated. Short
 * enough for one that is gone for good to read Disconnected within 15 s.
 */
export const RECONNECTING_MS = 10_000;

export type PresenceWord = 'Connected' | 'Reconnecting' | 'Disconnected';

/** As much of a device as its presence depends on; ISO times. */
export interface PresenceFacts {
  id?: string;
  status: string;
  status_since?: string;
  created?: string;
}

/**
 * The word for a device's presence now. One that has never been connected is not coming back: its status is as old as itself.
 * @param now ms since epoch, by the hub's clock
 */
export function presenceWord({ status, status_since: since, created }: PresenceFacts, now: number): PresenceWord {
  if (status === 'Connected') return 'Connected';
  return since !== undefined && since !== created && now - Date.parse(since) < RECONNECTING_MS
    ? 'Reconnecting'
    : 'Disconnected';
}
