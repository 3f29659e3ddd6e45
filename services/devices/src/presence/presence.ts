/** The state of a device's link. */
export interface Presence {
  connected: boolean;
  /** The tunnels replica that holds or held the link; null once its closing was reported. */
  replica: string | null;
  /** The epoch of the newest known link; 0 before the first. */
  epoch: bigint;
}

/** A link-up or link-down. */
export interface LinkEvent {
  replica: string;
  epoch: bigint;
}

/**
 * Applies a link-up. Ignores a late one of an older link, and one whose link-down is known; a repetition counts if the replica
 * was considered dead.
 * @returns the new state, or undefined if nothing changes
 */
export function linkUp(now: Presence, { replica, epoch }: LinkEvent): Presence | undefined {
  if (epoch < now.epoch) return undefined;
  if (epoch === now.epoch && (now.connected || now.replica === null)) return undefined;
  return { connected: true, replica, epoch };
}

/**
 * Applies a link-down. Ignores a late one of an older link; one that overtook its link-up counts, and suppresses that.
 * @returns the new state, or undefined if nothing changes
 */
export function linkDown(now: Presence, { epoch }: LinkEvent): Presence | undefined {
  if (epoch < now.epoch) return undefined;
  if (epoch === now.epoch && now.replica === null) return undefined;
  return { connected: false, replica: null, epoch };
}
