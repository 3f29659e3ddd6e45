import type { Batch, NewestTimes } from '../store/incoming.ts';

/**
 * Leaves out samples that are not newer than what the hub had of the device. For one such sample a receiver may refuse its whole request,
 * with the samples of other devices.
 * @param newest before these samples were stored
 */
export function freshBatches(batches: readonly Batch[], newest: NewestTimes): { fresh: Batch[]; skipped: number } {
  const fresh = batches.flatMap(({ deviceId, samples }) => {
    const after = newest.get(deviceId) ?? 0;
    const some = samples.filter(({ time }) => time > after);
    return some.length > 0 ? [{ deviceId, samples: some }] : [];
  });
  return { fresh, skipped: countOf(batches) - countOf(fresh) };
}

const countOf = (batches: readonly Batch[]) => batches.reduce((sum, { samples }) => sum + samples.length, 0);
