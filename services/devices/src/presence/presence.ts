/** What is known of a device's link. */
export interface Presence {
  connected: boolean;
  /** The tunnels replica that holds or held the link; null once the link has said goodbye. */
  replica: string | null;
  /** Of the newest link heard of; 0 before the first. */
  epoch: bigint;
}

/** A link that came or went. */
export interface LinkEvent {
  replica: string;
  epoch: bigint;
}

/**
 * A link came up. An older link's greeting that comes late changes nothing, nor does one whose goodbye is known; the same
 * greeting again (the replica was thought dead) counts.
 * @returns the new state, or undefined when nothing changes
 */
export function greeted(now: Presence, { replica, epoch }: LinkEvent): Presence | undefined {
  if (epoch < now.epoch) return undefined;
  if (epoch === now.epoch && (now.connected || now.replica === null)) return undefined;
  return { connected: true, replica, epoch };
}

/**
 * A link went down. An older link's goodbye that comes late never overrides a newer link; one that overtook its own
 * greeting counts, and the greeting will not.
 * @returns the new state, or undefined when nothing changes
 */
export function parted(now: Presence, { epoch }: LinkEvent): Presence | undefined {
  if (epoch < now.epoch) return undefined;
  if (epoch === now.epoch && now.replica === null) return undefined;
  return { connected: false, replica: null, epoch };
}
