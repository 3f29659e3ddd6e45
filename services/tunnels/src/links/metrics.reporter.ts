import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { MetricsBatch, MetricsSample } from '@warren/proto/agent/v1/agent';
import {
  MetricsService,
  type DeviceSamplesSchema,
  type MetricsRefusal,
  type SampleSchema,
} from '@warren/proto/fleet/v1/metrics';
import type { AgentLink } from './link.ts';
import { Pace } from './pace.ts';
import { RequestBatcher } from './request.batcher.ts';
import { Rush } from './rush.ts';

/** Times in milliseconds. Tests pass shorter ones. */
export interface MetricsPace {
  /** Between two batches of a device: each is a request, and agents have a byte budget. */
  interval: number;
  /** Before the next batch of a device that has more, after a break. */
  catchUp: number;
  /** Without fleet: agents keep their samples, and asking again would only cost bytes. Doubles with each failure. */
  pause: number;
}

export const METRICS_PACE = Symbol('MetricsPace');
export const USUAL_PACE: MetricsPace = { interval: 120_000, catchUp: 1_000, pause: 15_000 };
const SAMPLES = 10;
const ANSWER_MS = 30_000;
/** Batches that begin a second; they can wait, links and terminals can't. */
const BEGIN_PER_S = 300;
const BEGIN_PER_S_IN_A_RUSH = 5;
/** Ten samples of the largest devices in each stay below the largest message of the bus, 1 MB. */
const BATCHING = { batchSize: 24, concurrency: 2, lingerMs: 250 };
/** More wait at their devices: of a fleet that comes back, this process holds only so much. */
const MOST_WAITING = 4 * BATCHING.batchSize;
/** Batches in a row of one device: 24 hours of samples. */
const MOST_IN_A_ROW = 150;
const PASSING: ReadonlySet<string | undefined> = new Set(['unavailable', 'deadline_exceeded', 'resource_exhausted']);
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Disks and interfaces of a sample. */
const MOST_PARTS = 16;
/** Bytes. */
const MAX_MOUNT = 128;
const MAX_INTERFACE = 32;
/** The round trip is of now; samples of a break were taken before. */
const RECENT_S = 300;

type Report = Exclude<MessageInitShape<typeof DeviceSamplesSchema>, { $typeName: string }> & { deviceId: string };

/** A link whose usage is read. */
interface Followed {
  link: AgentLink;
  /** Time of the newest sample that fleet has stored. */
  stored: number;
  /** Batches since the last one that was not full. */
  inARow: number;
  timer?: NodeJS.Timeout;
}

/** Takes the samples of devices and has fleet store them; only then may the agent drop them. */
@Injectable()
export class MetricsReporter {
  private readonly log = new Logger(MetricsReporter.name);
  private readonly reports = new RequestBatcher((devices: Report[]) => this.reportMany(devices), BATCHING);
  private readonly pace: Pace<Followed>;
  private failures = 0;
  private resumesAt = 0;

  constructor(
    @InjectRpc(MetricsService) private readonly metrics: RpcClient<typeof MetricsService>,
    @Inject(METRICS_PACE) private readonly times: MetricsPace,
    rush: Rush,
  ) {
    this.pace = new Pace(
      (followed) => void this.take(followed),
      () => (rush.isOn() ? BEGIN_PER_S_IN_A_RUSH : BEGIN_PER_S),
    );
  }

  /** Reads the usage of a link's device from time to time, until the link closes. */
  follow(link: AgentLink): void {
    const followed: Followed = { link, stored: 0, inARow: 0 };
    link.departure.listen(() => clearTimeout(followed.timer));
    // Spreads the devices of a storm, and of a minute.
    this.later(followed, Math.random() * this.times.interval);
  }

  private later(followed: Followed, ms: number): void {
    if (followed.link.departure.fired) return;
    followed.timer = setTimeout(() => this.pace.add(followed.link.id, followed), ms).unref();
  }

  /** Never rejects. */
  private async take(followed: Followed): Promise<void> {
    const { link } = followed;
    if (link.departure.fired || !link.alive) return;
    const pause = this.resumesAt - performance.now();
    if (pause > 0) return this.later(followed, pause + Math.random() * this.times.interval);
    if (this.reports.length > MOST_WAITING) return this.later(followed, this.times.catchUp * (1 + Math.random()));
    try {
      const { samples, more } = await read(followed);
      if (samples.length > 0) await this.report(followed, samples);
      const isBehind = more && samples.length === SAMPLES && ++followed.inARow < MOST_IN_A_ROW;
      if (!isBehind) followed.inARow = 0;
      this.later(followed, isBehind ? this.times.catchUp : this.times.interval * (0.95 + Math.random() / 10));
    } catch (error) {
      // An agent of before, or one that is to give none: not asked again on this link.
      if (error instanceof ConnectError && error.code === Code.Unimplemented) return;
      if (link.alive) this.log.debug({ device: link.deviceId, err: error }, 'Reading the usage of a device failed.');
      this.later(followed, this.times.interval);
    }
  }

  private async report(followed: Followed, samples: MetricsSample[]): Promise<void> {
    const { link } = followed;
    try {
      const refusal = await this.reports.get({
        deviceId: link.deviceId,
        accountId: link.accountId,
        samples: samples.map((sample) => withRoundTrip(sample, link.rtt)),
      });
      if (refusal) this.log.warn({ device: link.deviceId, why: refusal.message }, 'Usage of a device was refused.');
      followed.stored = samples.at(-1)?.time ?? followed.stored;
      this.failures = 0;
    } catch (error) {
      const code = error instanceof Fault ? error.code : undefined;
      if (PASSING.has(code)) {
        this.pauseAfter(code);
        throw error;
      }
      // They would fail again, and so would those that come after them.
      this.log.warn({ device: link.deviceId, err: error }, 'Samples of a device are left out.');
      followed.stored = samples.at(-1)?.time ?? followed.stored;
    }
  }

  private pauseAfter(code: string | undefined): void {
    const ms = Math.min(LONGEST_PAUSE_MS, this.times.pause * 2 ** this.failures);
    const isNew = performance.now() >= this.resumesAt;
    if (!isNew) return;
    this.failures++;
    this.resumesAt = performance.now() + ms;
    this.log.warn({ code, seconds: ms / 1_000 }, 'Fleet takes no usage of devices now; agents keep it.');
  }

  private async reportMany(devices: Report[]): Promise<(MetricsRefusal | undefined)[]> {
    const { refused } = await this.metrics.reportMetrics(serviceCaller('tunnels'), { devices });
    const byDevice = new Map(refused.map((refusal) => [refusal.deviceId, refusal]));
    return devices.map(({ deviceId }) => byDevice.get(deviceId));
  }
}

/** Reads the oldest samples that are not stored. @throws ConnectError of the agent, Error if the link closed or nothing came in time */
function read({ link, stored }: Followed): Promise<Pick<MetricsBatch, 'samples' | 'more'>> {
  return new Promise((resolve, reject) => {
    let batch: MetricsBatch | undefined;
    const call = link.metrics(stored, SAMPLES, {
      message: (next) => (batch ??= next),
      writable: () => {},
      ended: (error) => {
        clearTimeout(late);
        if (error || !batch) reject(error ?? new Error('The agent gave no batch.'));
        else resolve({ samples: batch.samples.slice(0, SAMPLES), more: batch.more });
      },
    });
    const late = setTimeout(() => call.cancel(), ANSWER_MS).unref();
  });
}

/** The device's sample as fleet takes it, bounded; the hub measures the round trip. */
function withRoundTrip(sample: MetricsSample, roundTripMs: number | undefined): MessageInitShape<typeof SampleSchema> {
  const { time, cpuPercent, load1, memoryUsed, memoryTotal, temperature, boot, throttled } = sample;
  const isRecent = Math.abs(Date.now() / 1_000 - time) < RECENT_S;
  return {
    time,
    cpuPercent,
    load1,
    memoryUsed,
    memoryTotal,
    boot,
    disks: sample.disks
      .slice(0, MOST_PARTS)
      .map(({ mount, used, total }) => ({ mount: cut(mount, MAX_MOUNT), used, total })),
    interfaces: sample.interfaces
      .slice(0, MOST_PARTS)
      .map(({ name, rxBytes, txBytes }) => ({ name: cut(name, MAX_INTERFACE), rxBytes, txBytes })),
    ...(temperature === undefined ? {} : { temperature }),
    ...(throttled === undefined ? {} : { throttled }),
    ...(isRecent && roundTripMs !== undefined ? { roundTripMs } : {}),
  };
}

/** Cuts a name to so many bytes of UTF-8, whole characters. */
function cut(name: string, most: number): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= most) return name;
  return bytes
    .subarray(0, most)
    .toString()
    .replace(/\ufffd+$/, '');
}
