import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import { BULK_JOBS, retryDelay, type QueuedBulkJob } from './bulk.queue.ts';
import { BulkRunner } from './bulk.runner.ts';

/** How long a command blocks at Redis for a job, which ends it at once. */
const IDLE_SECONDS = 10;
/** A process that has not renewed its lock for so long is dead; another one takes over at its next look. */
const LOCK_MS = 15_000;
const LOOK_MS = 10_000;

/** Runs the queued bulk jobs, a wave at a time, so that jobs take turns. */
@Processor(BULK_JOBS, {
  concurrency: 4,
  drainDelay: IDLE_SECONDS,
  lockDuration: LOCK_MS,
  stalledInterval: LOOK_MS,
  // A job outlives any number of processes.
  maxStalledCount: 1_000_000,
  settings: { backoffStrategy: (attempts) => retryDelay(attempts) },
})
export class BulkWorker extends WorkerHost implements BeforeApplicationShutdown {
  private readonly log = new Logger(BulkWorker.name);
  private readonly runner: BulkRunner;

  constructor(runner: BulkRunner) {
    super();
    this.runner = runner;
  }

  async process(job: Job<QueuedBulkJob>, token?: string): Promise<void> {
    const pause = await this.runner.wave(job.data.id);
    if (pause === undefined) return;
    await job.moveToDelayed(Date.now() + pause, token);
    throw new DelayedError();
  }

  /** Finishes the waves in flight while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job<QueuedBulkJob> | undefined, error: Error): void {
    this.log.warn({ err: error, job: job?.data.id }, 'A wave of a bulk job did not run; it is tried again.');
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.debug({ problem: error.message }, 'The queue of bulk jobs does not answer.');
  }
}
