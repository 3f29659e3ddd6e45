import type { Batch, NewestTimes } from '../store/incoming.ts';

/** Prometheus refuses samples 10 minutes ahead of its clock, which may be behind the hub's. */
const AHEAD_SECONDS = 300;

/**
 * Leaves out samples that are not newer than what the hub had of the device, or too far in the future. For one such sample a receiver may
 * refuse its whole request, with the samples of other devices.
 * @param newest before these samples were stored
 * @param now seconds since 1970
 */
export function freshBatches(
  batches: readonly Batch[],
  newest: NewestTimes,
  now: number,
): { fresh: Batch[]; skipped: number } {
  const fresh = batches.flatMap(({ deviceId, samples }) => {
    const after = newest.get(deviceId) ?? 0;
    const some = samples.filter(({ time }) => time > after && time <= now + AHEAD_SECONDS);
    return some.length > 0 ? [{ deviceId, samples: some }] : [];
  });
  return { fresh, skipped: countOf(batches) - countOf(fresh) };
}

const countOf = (batches: readonly Batch[]) => batches.reduce((sum, { samples }) => sum + samples.length, 0);
