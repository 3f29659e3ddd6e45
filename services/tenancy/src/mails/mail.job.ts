const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 10 * 60_000;

/** Attempts that outlast the seven days of an invitation, at ten minutes each. An access request is open for one day. */
const ATTEMPTS = 2_000;

/** A mail is retried until it is sent or void, then its job is removed. */
export const MAIL_JOB = {
  attempts: ATTEMPTS,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 1,
} as const;

/** How long a command at Redis blocks until a mail arrives. Longer is unsafe if the connection breaks (BullMQ, issue 1658). */
const IDLE_SECONDS = 10;
/** A process that has not renewed its lock for so long is dead; another one sends its mail at its next check. */
const LOCK_MS = 15_000;
const LOOK_MS = 10_000;

/** How queued mails are sent. */
export const MAIL_WORKER = {
  concurrency: 4,
  drainDelay: IDLE_SECONDS,
  lockDuration: LOCK_MS,
  stalledInterval: LOOK_MS,
  // A mail outlives any number of processes.
  maxStalledCount: 1_000_000,
  settings: { backoffStrategy: (attempts: number) => retryDelay(attempts) },
};

/** Milliseconds before the next attempt: 1 s, doubled each time up to 10 minutes, less up to a fifth of jitter. */
export function retryDelay(attemptsMade: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attemptsMade - 1, 20), MAX_RETRY_MS);
  return Math.round(delay * (1 - random() / 5));
}
