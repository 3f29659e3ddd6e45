import type { Sample } from '@warren/proto/fleet/v1/metrics';

/** Prometheus refuses what is an hour older than the newest sample of any series. */
export const LATEST_SECONDS = 1_800;
const MOST_KNOWN = 50_000;

/**
 * Leaves out samples that came late or again: for one sample that is out of order a receiver may refuse its whole request, with the
 * samples of other devices.
 */
export class FreshSamples {
  /** Seconds since 1970 of each device's newest sample. */
  private readonly newest = new Map<string, number>();

  /** @param now seconds since 1970 */
  of(deviceId: string, samples: readonly Sample[], now: number): Sample[] {
    const after = Math.max(this.newest.get(deviceId) ?? 0, now - LATEST_SECONDS);
    const fresh = samples.filter(({ time }) => time > after);
    if (fresh.length > 0) this.remember(deviceId, Math.max(...fresh.map(({ time }) => time)));
    return fresh;
  }

  private remember(deviceId: string, time: number): void {
    this.newest.delete(deviceId);
    this.newest.set(deviceId, time);
    const [first] = this.newest.keys();
    if (this.newest.size > MOST_KNOWN && first !== undefined) this.newest.delete(first);
  }
}
