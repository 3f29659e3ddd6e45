import { createHash } from 'node:crypto';
import { parse, stringify, validate } from 'uuid';

/**
 * The id of an event that follows from another: the same each time, so that a handler that runs twice records one event. A UUIDv8
 * (RFC 9562, section 5.8): the time of the first id, then 74 bits of SHA-256 over that id and the name.
 * @param name tells apart what follows from the same event: `device.delete:0199…`
 * @throws Error if the first id is no UUID
 */
export function followingId(first: string, name: string): string {
  if (!validate(first))
    throw new Error(`An event can only follow one whose id is a UUID, not ${JSON.stringify(first)}.`);
  const bytes = createHash('sha256').update(`${first.toLowerCase()}\n${name}`).digest().subarray(0, 16);
  bytes.set(parse(first).subarray(0, 6));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}

/** When a UUIDv7, or an id of {@link followingId}, was made, in milliseconds since 1970 (RFC 9562, 5.7). */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}
