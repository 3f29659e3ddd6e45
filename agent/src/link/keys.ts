import { isSameKey, type DeviceKey } from '../state/key.ts';
import { DialRefused } from './refusal.ts';

/** The currently stored keys of this device. */
export interface KeyRing {
  current(): Promise<DeviceKey>;
  /** Keys of an unfinished rotation or separation. */
  pending(): Promise<DeviceKey[]>;
  /** Makes a pending key the current one, if it is still pending. */
  promote(key: DeviceKey): Promise<void>;
}

/**
 * Dials with the device's key. If the hub no longer knows it, a rotation was interrupted after the hub accepted the next key: then
 * dials with that one, which becomes the current key.
 * @throws the error of the dial with a pending key, when the hub knows that key and refuses this machine; else the error of the dial
 *   with the current key
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
    // A rotation may have completed during the dial.
    const now = await keys.current();
    if (isSameKey(now, current)) throw error;
    return dial(now);
  }
}

const isRefused = (error: unknown, status: number) => error instanceof DialRefused && error.status === status;
