/** Name of the queue of bulk jobs. */
export const BULK_JOBS = 'bulk-jobs';

/** A queued bulk job: one entry, which is delayed between its waves. The rows in PostgreSQL say what is left to do. */
export interface QueuedBulkJob {
  id: string;
}

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** What keeps a wave from starting, such as a database that is down, is tried again; after that, a round queues the job again. */
export const BULK_ENTRY = {
  attempts: 1_000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 1,
} as const;

/** Milliseconds before the next attempt: 1 s, doubled each time up to 30 s. */
export function retryDelay(attemptsMade: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(attemptsMade - 1, 10), MAX_RETRY_MS);
}
