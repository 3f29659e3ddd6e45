import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { queueJobs } from '@warren/platform/telemetry/metrics';
import type { Queue } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { bulkJobsRunning } from '../telemetry/metrics.ts';
import { BULK_ENTRY, BULK_JOBS, type QueuedBulkJob } from './bulk.queue.ts';
import { deleteOld, listUnfinished } from './bulk.sql.ts';

const LOOK_MS = 10_000;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
const STOP_MS = 2_000;

/**
 * Queues running jobs: at once when one starts, and in rounds, so that none is lost while Redis is down or after it lost its data. A job
 * that is queued already stays so.
 */
@Injectable()
export class BulkPublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(BulkPublisher.name);
  /** A job has started since the last round began. */
  private asked = false;
  private readonly rounds = new Rounds({
    of: BulkPublisher.name,
    everyMs: LOOK_MS,
    failed: 'Bulk jobs wait to be queued',
    round: () => this.publish(),
  });

  constructor(
    private readonly source: DataSource,
    @InjectQueue(BULK_JOBS) private readonly queue: Queue<QueuedBulkJob>,
  ) {
    this.queue.on('error', (error) =>
      this.log.debug({ problem: error.message }, 'The queue of bulk jobs does not answer.'),
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([this.rounds.stop(), wait(STOP_MS, undefined, { ref: false })]);
  }

  /** Queues a job that has just started. Nobody waits for it. */
  wake(): void {
    this.asked = true;
    // A round that runs already may have looked before the job started.
    void this.rounds.now().then(() => (this.asked ? this.rounds.now() : undefined));
  }

  private async publish(): Promise<void> {
    this.asked = false;
    const ids = await listUnfinished(this.source);
    bulkJobsRunning.set(ids.length);
    const jobs = ids.map((id) => ({ name: 'run', data: { id }, opts: { ...BULK_ENTRY, jobId: id } }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
    const counts = await this.queue.getJobCounts(...STATES);
    for (const state of STATES) queueJobs.set({ queue: BULK_JOBS, state }, counts[state] ?? 0);
    await deleteOld(this.source);
  }
}
