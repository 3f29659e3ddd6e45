import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { queueJobs } from '@warren/platform/telemetry/metrics';
import type { Queue } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { mailsWaiting } from '../telemetry/metrics.ts';
import { INVITATION_MAILS, MAIL_JOB, type InvitationMail } from './invitation.queue.ts';

const POLL_MS = 2_000;
/** Rounds between two counts of what waits. */
const COUNT_EVERY = 5;

const COUNT = `SELECT count(*)::int AS n FROM invitations WHERE delivery <> 'Sent' AND expires > now()`;

const BATCH = 100;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
const STOP_MS = 2_000;

/**
 * Unsent mails that were not handed over lately. Those handed over before are handed over again, which does nothing while
 * they wait and brings them back when the queue has lost them.
 */
const CLAIM = `
  UPDATE invitations SET enqueued_at = now()
  WHERE id IN (
    SELECT id FROM invitations
    WHERE delivery <> 'Sent' AND expires > now()
      AND (enqueued_at IS NULL OR enqueued_at < now() - interval '30 seconds')
    ORDER BY enqueued_at NULLS FIRST
    LIMIT ${BATCH}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id AS invitation, mailing`;

/** Hands the mails of invitations to the queue. The rows say which mails are due, so a queue that is away loses none. */
@Injectable()
export class InvitationRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(InvitationRelay.name);
  private readonly rounds = new Rounds({
    of: InvitationRelay.name,
    everyMs: POLL_MS,
    failed: 'Mails wait to be queued',
    round: () => this.drain(),
  });
  private count = 0;

  constructor(
    private readonly source: DataSource,
    @InjectQueue(INVITATION_MAILS) private readonly queue: Queue<InvitationMail>,
  ) {
    this.queue.on('error', (error) => this.log.debug(`The queue of mails does not answer: ${error.message}`));
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([this.rounds.stop(), wait(STOP_MS, undefined, { ref: false })]);
  }

  private async drain(): Promise<void> {
    if (this.count++ % COUNT_EVERY === 0) await this.countWaiting();
    while ((await this.enqueueBatch()) === BATCH);
  }

  private async countWaiting(): Promise<void> {
    const [row] = await this.source.query<{ n: number }[]>(COUNT);
    mailsWaiting.set(row?.n ?? 0);
    const counts = await this.queue.getJobCounts(...STATES);
    for (const state of STATES) queueJobs.set({ queue: INVITATION_MAILS, state }, counts[state] ?? 0);
  }

  /** Waits for a Redis that is away. A mail that was claimed and not handed over is claimed again later. */
  private async enqueueBatch(): Promise<number> {
    const [mails] = await this.source.query<[InvitationMail[], number]>(CLAIM);
    const jobs = mails.map((data) => ({ name: 'send', data, opts: { ...MAIL_JOB, jobId: data.mailing } }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
    return jobs.length;
  }
}
