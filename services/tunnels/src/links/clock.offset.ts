import type { Facts } from '@warren/proto/agent/v1/agent';

/** What the message's type carries: 68 years. */
const MOST_S = 2 ** 31 - 1;

/**
 * Sets how far a device's clock is ahead, in seconds, by the time that its facts carry: half a round trip ago. What an agent itself says of
 * it is dropped. @param roundTrip milliseconds, if known
 */
export function setClockOffset(facts: Facts, now: number, roundTrip = 0): void {
  const { time } = facts;
  const ahead = Math.round((Number(time ?? 0n) - (now - roundTrip / 2)) / 1_000);
  facts.clockOffset = time === undefined ? undefined : Math.max(-MOST_S, Math.min(MOST_S, ahead));
}
