import { create } from '@bufbuild/protobuf';
import { MetricsSampleSchema, type MetricsSample } from '@warren/proto/agent/v1/agent';
import { uptime } from 'node:os';
import { readCpuTimes, readDisk } from '../system/facts.ts';
import { readText } from '../system/files.ts';
import { readTemperature, readThrottled } from '../system/heat.ts';
import { cpuUsage, parseMemory, type CpuTimes } from '../system/parse.ts';
import { SampleBuffer } from './buffer.ts';
import { parseLoad, parseMounts, parseTraffic, trafficSince, type Traffic } from './counters.ts';

const INTERVAL_MS = 60_000;
const MAX_BATCH = 60;

/** Samples the usage of this device every minute, and keeps the samples until the hub has stored them. */
export class Sampler {
  private readonly buffer = new SampleBuffer();
  private readonly onError: (error: unknown) => void;
  private before: { cpu: CpuTimes; traffic: ReadonlyMap<string, Traffic> } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(onError: (error: unknown) => void) {
    this.onError = onError;
  }

  /** Takes a first sample soon, then one a minute. */
  start(intervalMs = INTERVAL_MS): void {
    void this.sample();
    this.timer = setInterval(() => void this.sample(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** The oldest samples that are not stored, after what is `stored` was dropped. */
  take({ stored, limit }: { stored: number; limit: number }): { samples: MetricsSample[]; more: boolean } {
    this.buffer.stored(stored);
    return this.buffer.oldest(Math.min(limit || MAX_BATCH, MAX_BATCH));
  }

  /** The first reading is what the next one counts from: shares and traffic have no meaning without an interval. */
  private async sample(): Promise<void> {
    try {
      const [cpu, traffic] = await Promise.all([readCpuTimes(), readText('/proc/net/dev').then(parseTraffic)]);
      const { before } = this;
      this.before = { cpu, traffic };
      if (before) this.buffer.add(await readSample(cpuUsage(before.cpu, cpu), trafficSince(before.traffic, traffic)));
    } catch (error) {
      this.onError(error);
    }
  }
}

async function readSample(cpuPercent: number, interfaces: ReturnType<typeof trafficSince>): Promise<MetricsSample> {
  const [memory, load1, disks, temperature, throttled] = await Promise.all([
    readText('/proc/meminfo').then(parseMemory),
    readText('/proc/loadavg').then(parseLoad),
    readDisks(),
    readTemperature(),
    readThrottled(),
  ]);
  const time = Math.floor(Date.now() / 1_000);
  return create(MetricsSampleSchema, {
    time,
    cpuPercent,
    load1,
    memoryUsed: BigInt(memory.used),
    memoryTotal: BigInt(memory.total),
    disks,
    interfaces,
    temperature,
    throttled,
    boot: Math.max(0, Math.round((time - uptime()) / 10) * 10),
  });
}

/** One that does not answer, such as a disk that was pulled, is left out. */
async function readDisks() {
  const mounts = parseMounts(await readText('/proc/self/mounts'));
  const read = await Promise.all(
    mounts.map(async (mount) => {
      const size = await readDisk(mount).catch(() => undefined);
      return size && size.total > 0 ? [{ mount, used: BigInt(size.used), total: BigInt(size.total) }] : [];
    }),
  );
  return read.flat();
}
