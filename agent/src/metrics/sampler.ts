import { create } from '@bufbuild/protobuf';
import { MetricsSampleSchema, type MetricsSample } from '@warren/proto/agent/v1/agent';
import { uptime } from 'node:os';
import { readCpuTimes } from '../system/facts.ts';
import { readText } from '../system/files.ts';
import { readTemperature, readThrottled } from '../system/heat.ts';
import type { DiskReader, DiskSize } from '../system/disks.ts';
import { cpuUsage, parseLoad, parseMemory, type CpuTimes } from '../system/parse.ts';
import { SampleBuffer } from './buffer.ts';
import { parseTraffic, trafficSince, type Traffic } from './counters.ts';

const INTERVAL_MS = 60_000;
const MAX_BATCH = 60;

/** Samples the usage of this device every minute, and keeps the samples until the hub has stored them. */
export class Sampler {
  private readonly buffer = new SampleBuffer();
  private readonly disks: DiskReader;
  private readonly onError: (error: unknown) => void;
  private before: { cpu: CpuTimes; traffic: ReadonlyMap<string, Traffic> } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isSampling = false;

  constructor(disks: DiskReader, onError: (error: unknown) => void) {
    this.disks = disks;
    this.onError = onError;
  }

  /** Samples once a minute, with a random start, so that devices that boot together don't sample together. */
  start(intervalMs = INTERVAL_MS): void {
    const begin = () => {
      void this.sample();
      this.timer = setInterval(() => void this.sample(), intervalMs).unref();
    };
    this.timer = setTimeout(begin, Math.random() * intervalMs).unref();
  }

  stop(): void {
    // Of either kind.
    clearTimeout(this.timer);
  }

  /** Drops the samples up to `stored`, and returns the oldest of the others. */
  take({ stored, limit }: { stored: number; limit: number }): { samples: MetricsSample[]; more: boolean } {
    this.buffer.stored(stored);
    return this.buffer.oldest(Math.min(limit || MAX_BATCH, MAX_BATCH));
  }

  /** The first reading is only the base of the next: shares and traffic need an interval. */
  private async sample(): Promise<void> {
    // A disk may take long to answer.
    if (this.isSampling) return;
    this.isSampling = true;
    try {
      const [cpu, traffic] = await Promise.all([readCpuTimes(), readText('/proc/net/dev').then(parseTraffic)]);
      const { before } = this;
      this.before = { cpu, traffic };
      if (before)
        this.buffer.add(
          await readSample(cpuUsage(before.cpu, cpu), trafficSince(before.traffic, traffic), await this.disks.read()),
        );
    } catch (error) {
      this.onError(error);
    } finally {
      this.isSampling = false;
    }
  }
}

async function readSample(
  cpuPercent: number,
  interfaces: ReturnType<typeof trafficSince>,
  sizes: readonly DiskSize[],
): Promise<MetricsSample> {
  const [memory, load1, temperature, throttled] = await Promise.all([
    readText('/proc/meminfo').then(parseMemory),
    readText('/proc/loadavg').then(parseLoad),
    readTemperature(),
    readThrottled(),
  ]);
  const time = Math.floor(Date.now() / 1_000);
  return create(MetricsSampleSchema, {
    time,
    cpuPercent,
    load1: load1 ?? 0,
    memoryUsed: BigInt(memory.used),
    memoryTotal: BigInt(memory.total),
    disks: sizes.map(({ mount, used, total }) => ({ mount, used, total })),
    interfaces,
    temperature,
    throttled,
    boot: Math.max(0, Math.round((time - uptime()) / 10) * 10),
  });
}
