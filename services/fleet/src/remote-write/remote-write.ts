import { fromBinary } from '@bufbuild/protobuf';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { SampleBatchSchema } from '@warren/proto/fleet/v1/chunks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Batch } from '../store/incoming.ts';
import { remoteWriteFailingSince, remoteWriteQueue, remoteWriteSamples } from '../telemetry/metrics.ts';
import { delayAfter } from './backoff.ts';
import { DeviceNames } from './device.names.ts';
import { deviceSeries } from './device.series.ts';
import { FreshSamples, LATEST_SECONDS } from './fresh.samples.ts';
import type { RemoteWriteClient, WriteOutcome } from './remote-write.client.ts';
import { ReportQueue } from './report.queue.ts';
import { encodeRequest } from './request.ts';

/** The client; null in installations without a metrics store. */
export const REMOTE_WRITE_CLIENT = Symbol('REMOTE_WRITE_CLIENT');
/** Most bytes of the queue. */
export const REMOTE_WRITE_QUEUE = Symbol('REMOTE_WRITE_QUEUE');

/** Reports of several replicas of tunnels share a request. */
const GATHER_MS = 1_000;
const MOST_DEVICES = 200;
const STOP_MS = 3_000;

/** Samples of a request. */
interface Request {
  devices: ReturnType<ReportQueue['take']>;
  begunAt: number;
  /** Encoded at the first attempt. */
  body?: Uint8Array | undefined;
  samples: number;
}

/** Sends the samples of devices to a metrics store, in addition to the hub's own. Nothing waits for it. */
@Injectable()
export class RemoteWrite implements BeforeApplicationShutdown {
  private readonly log = new Logger(RemoteWrite.name);
  private readonly queue: ReportQueue;
  private readonly fresh = new FreshSamples();
  private readonly stopping = new AbortController();
  private draining: Promise<void> | undefined;
  private failing = false;

  constructor(
    @Inject(REMOTE_WRITE_CLIENT) private readonly client: RemoteWriteClient | null,
    @Inject(REMOTE_WRITE_QUEUE) mostBytes: number,
    private readonly names: DeviceNames,
  ) {
    this.queue = new ReportQueue(mostBytes);
  }

  /** Queues samples. Returns at once; a full queue drops its oldest ones. */
  add(batches: readonly Batch[]): void {
    if (!this.client || this.stopping.signal.aborted || batches.length === 0) return;
    remoteWriteSamples.inc({ result: 'full' }, this.queue.push(batches));
    remoteWriteQueue.set(this.queue.bytes);
    this.draining ??= this.drain(this.client);
  }

  /** Tries once to send what waits. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.draining, wait(STOP_MS, undefined, { ref: false })]);
  }

  private async drain(client: RemoteWriteClient): Promise<void> {
    await this.pause(GATHER_MS);
    for (;;) {
      const devices = this.queue.take(MOST_DEVICES);
      remoteWriteQueue.set(this.queue.bytes);
      if (devices.length === 0) break;
      await this.deliver(client, { devices, begunAt: Date.now(), samples: 0 }).catch((error: unknown) =>
        this.log.error({ err: error }, 'Samples were not sent to the metrics store.'),
      );
    }
    // In the same turn as the last look at the queue.
    this.draining = undefined;
  }

  private async deliver(client: RemoteWriteClient, request: Request): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(client, request);
      if (!outcome) return;
      this.note(outcome);
      if (outcome.result !== 'retry') return remoteWriteSamples.inc({ result: outcome.result }, request.samples);
      const late = Date.now() - request.begunAt > LATEST_SECONDS * 1_000;
      if (late) return remoteWriteSamples.inc({ result: 'late' }, request.samples);
      if (!(await this.pause(delayAfter(attempt, outcome.retryAfterMs)))) return;
    }
  }

  /** @returns undefined if there is nothing to send */
  private async attempt(client: RemoteWriteClient, request: Request): Promise<WriteOutcome | undefined> {
    try {
      request.body ??= await this.encode(request);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { result: 'retry', reason: `The devices service names no devices (${error.code}).`, retryAfterMs: 0 };
    }
    return request.samples > 0 ? client.send(request.body) : undefined;
  }

  private async encode(request: Request): Promise<Uint8Array> {
    const byDevice = Map.groupBy(request.devices, ({ deviceId }) => deviceId);
    const labels = await this.names.labelsOf([...byDevice.keys()]);
    const now = Math.floor(Date.now() / 1_000);
    const series = [...byDevice].flatMap(([id, reports]) => {
      const device = labels.get(id);
      const all = reports.flatMap(({ data }) => fromBinary(SampleBatchSchema, data).samples);
      // Deleted meanwhile.
      if (!device) return [];
      const samples = this.fresh.of(id, all, now);
      remoteWriteSamples.inc({ result: 'late' }, all.length - samples.length);
      request.samples += samples.length;
      return deviceSeries(device, samples);
    });
    return encodeRequest(series);
  }

  /** Logs the first failure, and when it is over. */
  private note(outcome: WriteOutcome): void {
    const failing = outcome.result !== 'sent';
    if (failing === this.failing) return;
    this.failing = failing;
    if (failing) remoteWriteFailingSince.setToCurrentTime();
    else remoteWriteFailingSince.set(0);
    if (outcome.result === 'sent') this.log.log('The metrics store takes samples again.');
    else this.log.warn({ reason: outcome.reason, result: outcome.result }, 'The metrics store takes no samples.');
  }

  /** @returns false when the process stops */
  private async pause(ms: number): Promise<boolean> {
    const { signal } = this.stopping;
    await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }
}
