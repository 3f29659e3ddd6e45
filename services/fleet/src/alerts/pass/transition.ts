import type { DeviceMatch } from '@warren/proto/devices/v1/matching';
import type { RuleState } from '../records/settle.sql.ts';

/** A device that a rule's condition holds for. */
export type Match = Pick<DeviceMatch, 'deviceId' | 'name' | 'current' | 'since' | 'value' | 'detail'>;

/** What is to change. */
export interface Transition {
  /** Devices whose condition begins to hold. */
  hold: string[];
  /** Devices whose condition is no longer waited for. */
  release: string[];
  open: Match[];
  /** Ids of alerts. */
  close: string[];
}

/**
 * Moves the devices of a rule: held → open once the condition has held for so long, → closed when it holds no more. What a device that is
 * disconnected told last opens nothing, and closes nothing.
 * @param matches the devices that the condition holds for; each once
 */
export function transitionOf(
  matches: readonly Match[],
  { open, held }: RuleState,
  { now, holdMs }: { now: Date; holdMs: number },
): Transition {
  const found = new Set(matches.map(({ deviceId }) => deviceId));
  const fresh = matches.filter(({ deviceId, current }) => current && !open.has(deviceId));
  const heldFor = ({ deviceId }: Match) => now.getTime() - (held.get(deviceId) ?? now).getTime();
  const opening = fresh.filter((match) => holdMs === 0 || (held.has(match.deviceId) && heldFor(match) >= holdMs));
  const opened = new Set(opening.map(({ deviceId }) => deviceId));
  const waiting = fresh.map(({ deviceId }) => deviceId).filter((id) => !opened.has(id));
  const waits = new Set(waiting);
  return {
    hold: waiting.filter((id) => !held.has(id)),
    release: [...held.keys()].filter((id) => !waits.has(id)),
    open: opening,
    close: [...open].filter(([deviceId]) => !found.has(deviceId)).map(([, alertId]) => alertId),
  };
}

export function isEmpty({ hold, release, open, close }: Transition): boolean {
  return hold.length + release.length + open.length + close.length === 0;
}
