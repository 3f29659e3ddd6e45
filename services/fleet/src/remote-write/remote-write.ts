import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { setTimeout as wait } from 'node:timers/promises';
import type { Batch, NewestTimes } from '../store/incoming.ts';
import { remoteWriteFailingSince, remoteWriteQueue, remoteWriteSamples } from '../telemetry/metrics.ts';
import { delayAfter } from './backoff.ts';
import { DeviceNames } from './device.names.ts';
import type { DeviceLabels } from './device.series.ts';
import { freshBatches } from './fresh.batches.ts';
import { InstanceNames } from './instance.names.ts';
import type { RemoteWriteClient, WriteOutcome } from './remote-write.client.ts';
import { ReportQueue } from './report.queue.ts';
import { Splits } from './splits.ts';
import { WriteRequest } from './write.request.ts';

/** The client; null in installations without a metrics store. */
export const REMOTE_WRITE_CLIENT = Symbol('REMOTE_WRITE_CLIENT');
/** Most bytes of the queue. */
export const REMOTE_WRITE_QUEUE = Symbol('REMOTE_WRITE_QUEUE');

/** Reports of several replicas of tunnels share a request. */
const LINGER_MS = 1_000;
const MOST_DEVICES = 200;
const STOP_MS = 3_000;
/** Older samples are not sent: Prometheus refuses samples an hour older than the newest one of any series. */
const LATEST_SECONDS = 1_800;
const REFUSALS_LOGGED_EVERY_MS = 60_000;

type Refused = Extract<WriteOutcome, { result: 'refused' }>;
const UNNAMED = { result: 'retry', retryAfterMs: 0 } as const;

/** Sends the samples of devices to a metrics store, in addition to the hub's own. Nothing waits for it. */
@Injectable()
export class RemoteWrite implements BeforeApplicationShutdown {
  private readonly log = new Logger(RemoteWrite.name);
  private readonly queue: ReportQueue;
  private readonly instances = new InstanceNames();
  private readonly stopping = new AbortController();
  private draining: Promise<void> | undefined;
  /** Samples that left the queue, and of which nothing is known yet. */
  private inFlight = 0;
  private lost = 0;
  private stopped = false;
  /** The outage that samples wait for. */
  private failing: 'store' | 'names' | undefined;
  private refusalLoggedAt = -Infinity;

  constructor(
    @Inject(REMOTE_WRITE_CLIENT) private readonly client: RemoteWriteClient | null,
    @Inject(REMOTE_WRITE_QUEUE) mostBytes: number,
    private readonly names: DeviceNames,
  ) {
    this.queue = new ReportQueue(mostBytes);
  }

  /**
   * Queues the samples that the hub did not have. Returns at once; a full queue drops its oldest ones.
   * @param newest of each device, before these samples were stored
   */
  add(batches: readonly Batch[], newest: NewestTimes): void {
    if (!this.client) return;
    const { fresh, skipped } = freshBatches(batches, newest);
    remoteWriteSamples.inc({ result: 'skipped' }, skipped);
    if (fresh.length === 0) return;
    const dropped = this.queue.push(fresh);
    if (this.stopping.signal.aborted) return this.loseQueue();
    remoteWriteSamples.inc({ result: 'full' }, dropped);
    remoteWriteQueue.set(this.queue.bytes);
    this.draining ??= this.drain(this.client);
  }

  /** Tries once to send what waits, and counts what is lost. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.draining, wait(STOP_MS, undefined, { ref: false })]);
    this.loseQueue();
    this.settle('lost', this.inFlight);
    this.stopped = true;
    if (this.lost > 0) this.log.warn({ samples: this.lost }, 'Samples for the metrics store are lost.');
  }

  private async drain(client: RemoteWriteClient): Promise<void> {
    await this.pause(LINGER_MS);
    for (;;) {
      const waiting = this.queue.take(MOST_DEVICES);
      remoteWriteQueue.set(this.queue.bytes);
      if (waiting.length === 0) break;
      const request = WriteRequest.of(waiting);
      this.inFlight = request.samples;
      await this.deliver(client, request, new Splits());
    }
    // Nothing waits any more, so an outage has no further effect.
    this.setFailing(undefined);
    // In the same turn as the last look at the queue.
    this.draining = undefined;
  }

  /** Sends a request until it is accepted or refused, or its samples are too old. A refused one is sent again in halves. */
  private async deliver(client: RemoteWriteClient, request: WriteRequest, splits: Splits): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(client, request).catch((error: unknown) => {
        this.log.error({ err: error }, 'Samples were not sent to the metrics store.');
      });
      // Of an error; nothing is left if all samples are too old.
      if (!outcome) return this.settle('lost', request.samples);
      if (outcome.result === 'refused') return this.refused(client, request, splits, outcome);
      if (outcome.result === 'sent') {
        splits.accepted();
        return this.settle('sent', request.samples);
      }
      if (!(await this.pause(delayAfter(attempt, outcome.retryAfterMs)))) return this.settle('lost', request.samples);
    }
  }

  /** @returns undefined if no sample is left */
  private async attempt(
    client: RemoteWriteClient,
    request: WriteRequest,
  ): Promise<WriteOutcome | typeof UNNAMED | undefined> {
    this.settle('late', request.leaveOutUntil(secondsNow() - LATEST_SECONDS));
    if (!request.body) {
      const labels = await this.labelsOf(request.ids);
      if (!labels) return UNNAMED;
      // Their devices were deleted.
      this.settle('skipped', request.encode(labels, this.instances));
    }
    if (request.samples === 0 || !request.body) return undefined;
    const outcome = await client.send(request.body);
    if (outcome.result === 'retry' && this.failing !== 'store') {
      const { reason, answer } = outcome;
      this.log.warn({ reason, answer }, 'The metrics store takes no samples; they are sent again.');
    }
    if (outcome.result === 'sent' && this.failing === 'store') this.log.log('The metrics store takes samples again.');
    this.setFailing(outcome.result === 'retry' ? 'store' : undefined);
    return outcome;
  }

  /** For one sample a store may refuse them all: it gets the others again. */
  private async refused(
    client: RemoteWriteClient,
    request: WriteRequest,
    splits: Splits,
    { reason, answer, divisible }: Refused,
  ): Promise<void> {
    if (splits.refused(divisible ? request.ids.length : 1)) {
      for (const half of request.halves()) await this.deliver(client, half, splits);
      return;
    }
    this.settle('refused', request.samples);
    if (performance.now() - this.refusalLoggedAt < REFUSALS_LOGGED_EVERY_MS) return;
    this.refusalLoggedAt = performance.now();
    this.log.warn({ reason, answer, devices: request.ids }, 'The metrics store refuses samples; they are dropped.');
  }

  /** @returns undefined while the devices service does not answer */
  private async labelsOf(ids: readonly string[]): Promise<Map<string, DeviceLabels> | undefined> {
    try {
      return await this.names.labelsOf(ids);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (this.failing !== 'names')
        this.log.warn({ code: error.code }, 'Samples for the metrics store wait for the names of devices.');
      this.setFailing('names');
      return undefined;
    }
  }

  /** Counts what became of samples that left the queue. */
  private settle(result: 'sent' | 'refused' | 'late' | 'skipped' | 'lost', samples: number): void {
    if (this.stopped) return;
    remoteWriteSamples.inc({ result }, samples);
    this.inFlight -= samples;
    if (result === 'lost') this.lost += samples;
  }

  private loseQueue(): void {
    const dropped = this.queue.clear();
    this.lost += dropped;
    remoteWriteSamples.inc({ result: 'lost' }, dropped);
    remoteWriteQueue.set(0);
  }

  private setFailing(failing: 'store' | 'names' | undefined): void {
    if (!failing) remoteWriteFailingSince.set(0);
    else if (!this.failing) remoteWriteFailingSince.setToCurrentTime();
    this.failing = failing;
  }

  /** @returns false when the process stops */
  private async pause(ms: number): Promise<boolean> {
    const { signal } = this.stopping;
    await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }
}

const secondsNow = () => Math.floor(Date.now() / 1_000);
