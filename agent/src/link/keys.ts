import { isSameKey, type DeviceKey } from '../state/key.ts';
import { DialRefused } from './refusal.ts';

/** The keys of this device as they are stored now. */
export interface KeyRing {
  current(): Promise<DeviceKey>;
  /** Those that a rotation or a separation has made and not put in place. */
  pending(): Promise<DeviceKey[]>;
  /** Puts a pending key in place, if it is still pending. */
  promote(key: DeviceKey): Promise<void>;
}

/**
 * Dials with the device's key. Where the hub does not know that any more, a rotation was interrupted after the hub took the next key:
 * then that one opens the link, and is put in place.
 * @throws what the dial with a pending key throws, when the hub knows that key and refuses this machine; else what the dial with the
 *   current key throws
 */
export async function dialWithKeys<T>(keys: KeyRing, dial: (key: DeviceKey) => Promise<T>): Promise<T> {
  const current = await keys.current();
  try {
    return await dial(current);
  } catch (error) {
    if (!isRefused(error, 401)) throw error;
    for (const key of await keys.pending()) {
      const carrier = await dial(key).catch((refusal: unknown) => {
        if (isRefused(refusal, 409)) throw refusal;
      });
      if (!carrier) continue;
      await keys.promote(key);
      return carrier;
    }
    // A rotation may have been completed during the dial.
    const now = await keys.current();
    if (isSameKey(now, current)) throw error;
    return dial(now);
  }
}

const isRefused = (error: unknown, status: number) => error instanceof DialRefused && error.status === status;
