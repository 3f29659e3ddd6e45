import type { DeviceKey } from '../state/key.ts';
import { DialRefused } from './refusal.ts';

/** The keys of this device as they are stored now. */
export interface KeyRing {
  current(): Promise<DeviceKey>;
  /** The one that a rotation has made and not put in place. */
  next(): Promise<DeviceKey | undefined>;
  /** Puts the next key in place. */
  promote(): Promise<void>;
}

/**
 * Dials with the device's key. Where the hub does not know that any more, a rotation was interrupted after the hub took the next key:
 * then that one opens the link, and is put in place.
 * @throws what the dial with the current key throws, when there is no other or the hub does not know that either
 */
export async function dialWithKeys<T>(keys: KeyRing, dial: (key: DeviceKey) => Promise<T>): Promise<T> {
  try {
    return await dial(await keys.current());
  } catch (error) {
    const next = error instanceof DialRefused && error.status === 401 ? await keys.next() : undefined;
    if (!next) throw error;
    const carrier = await dial(next).catch(() => {
      throw error;
    });
    await keys.promote();
    return carrier;
  }
}
