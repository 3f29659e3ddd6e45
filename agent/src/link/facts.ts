import { FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DiskReader } from '../system/disks.ts';
import { readCpuTimes, readFacts } from '../system/facts.ts';

const INTERVAL_MS = 30_000;
/** Interval of reports of small changes. Presence does not depend on them. */
const AT_LEAST_MS = 5 * 60_000;
/** The first CPU usage needs a measuring interval. */
const FIRST_INTERVAL_MS = 250;

/** Reading the facts takes a moment, and uptimes are whole seconds. */
const CLOCK_SET_S = 10;

/** Facts that change all the time; of the others every change is reported. */
const USAGE: readonly (keyof Facts)[] = [
  'cpuUsage',
  'usedRam',
  'usedDisk',
  'uptimeSeconds',
  'temperature',
  // Two disks that are equally full change places.
  'fullestDisk',
  'fullestDiskUsage',
  'load',
  'time',
];
const STEADY = FactsSchema.fields
  .map(({ localName }) => localName as keyof Facts)
  .filter((name) => !USAGE.includes(name));

/** Facts besides those of the machine. */
export interface FactsOf {
  version: string;
  /** The configured name of this device, read each time; undefined for its host name. */
  name?: (() => Promise<string | undefined>) | undefined;
  /** Shared with the samples, so that a disk that does not answer is pending once. */
  disks?: DiskReader | undefined;
}

/** The `WatchFacts` call: the device's facts now, then whenever they change by more than noise. */
export async function* watchFacts(
  { version, name, disks }: FactsOf,
  signal: AbortSignal,
  interval = INTERVAL_MS,
): AsyncGenerator<Facts> {
  let times = await readCpuTimes();
  let reported: Facts | undefined;
  let reportedAt = 0;
  let wait = FIRST_INTERVAL_MS;
  while (await pause(wait, signal)) {
    const facts = await readFacts(times, { version, name: await name?.(), disks });
    times = await readCpuTimes();
    wait = interval;
    if (reported && !worthReporting(reported, facts) && performance.now() - reportedAt < AT_LEAST_MS) continue;
    reported = facts;
    reportedAt = performance.now();
    yield facts;
  }
}

/**
 * Tells whether usage changed by more than noise: 5 points of the CPU, 2 % of memory, 1 % of a disk, 5 degrees, or a load of a quarter of
 * the cores; or whether the clock was set.
 */
export function worthReporting(before: Facts, now: Facts): boolean {
  const share = (a: bigint, b: bigint, total: bigint) => (total === 0n ? 0 : Math.abs(Number(a - b)) / Number(total));
  if (Math.abs(now.cpuUsage - before.cpuUsage) >= 5) return true;
  if (share(now.usedRam, before.usedRam, now.totalRam) >= 0.02) return true;
  if (share(now.usedDisk, before.usedDisk, now.totalDisk) >= 0.01) return true;
  if (moved(before.fullestDiskUsage, now.fullestDiskUsage) >= 1) return true;
  if (moved(before.temperature, now.temperature) >= 5) return true;
  if (moved(before.load, now.load) >= Math.max(1, now.cpuCores / 4)) return true;
  if (clockSet(before, now)) return true;
  return STEADY.some((name) => before[name] !== now[name]);
}

/** What appears or disappears is a change of any size. */
function moved(before: number | undefined, now: number | undefined): number {
  if (before === undefined || now === undefined) return before === now ? 0 : Infinity;
  return Math.abs(now - before);
}

/** The clock moved by another span than the time since the boot, which nobody sets. */
function clockSet(before: Facts, now: Facts): boolean {
  if (before.time === undefined || now.time === undefined) return false;
  const clock = Number(now.time - before.time) / 1_000;
  return Math.abs(clock - Number(now.uptimeSeconds - before.uptimeSeconds)) >= CLOCK_SET_S;
}

async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  return !signal.aborted;
}
