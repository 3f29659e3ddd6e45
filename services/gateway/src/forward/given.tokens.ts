import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';

/** Socket tokens live no longer. */
const LIFE_MS = 60_000;
const MOST = 10_000;
/** Where a device is changes seldom, and a replica that does not hold it says so. */
const PLACE_MS = 1_000;

interface Given {
  deviceId: string;
  address: string | undefined;
}

/**
 * Which devices the socket tokens are for that this gateway gave out, so that it need not ask when the socket comes to it too. Where to bring
 * the socket is all that follows from it: whether the token is good only its redemption says.
 */
@Injectable()
export class GivenTokens {
  private readonly given = new LRUCache<string, Given>({ max: MOST, ttl: LIFE_MS, ttlResolution: 0 });

  /** @param address the data-plane address of the replica that holds the device now */
  add(token: string, deviceId: string, address: string | undefined): void {
    this.given.set(keyOf(token), { deviceId, address });
  }

  /** The device of a token, once; its address as long as it may be relied on. */
  take(token: string): Given | undefined {
    const key = keyOf(token);
    const given = this.given.get(key);
    if (!given) return undefined;
    const age = LIFE_MS - this.given.getRemainingTTL(key);
    this.given.delete(key);
    return { deviceId: given.deviceId, address: age < PLACE_MS ? given.address : undefined };
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
