import type { Crashes } from './records.ts';

/** A version whose crashes weigh this much is unstable. */
const WEIGHT_MAX = 3;

/**
 * Adds a crash. It weighs 1 when the process was linked for no longer than a trial takes; each doubling of that time halves it.
 * @param linked how long the process was linked, in seconds
 * @param stay how long a version on trial must stay linked, in seconds
 */
export function addCrash({ count, weight }: Crashes, linked: number, stay: number): Crashes {
  return { count: count + 1, weight: weight + Math.min(1, stay / Math.max(linked, 1)) };
}

export function flaps({ weight }: Crashes): boolean {
  return weight >= WEIGHT_MAX;
}

/** Describes it for people. @param linked seconds that the last crashed process was linked */
export function crashWords({ count }: Crashes, linked: number): string {
  const minutes = Math.round(linked / 60);
  const stayed = linked < 120 ? `${Math.round(linked)} seconds` : `${minutes} minutes`;
  return `it crashed ${count} times, the last time after it was linked for ${stayed}`;
}
