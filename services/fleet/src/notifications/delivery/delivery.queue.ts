import type { Attempt } from './notifications.sql.ts';

/** Name of the queue of attempts. */
export const NOTIFICATIONS = 'notifications';

/** Attempts that wait in the queue at most; the others wait in the table. */
export const QUEUE_MAX = 1_000;

/** A job is one attempt. When the next one is due is in the table, so that nothing is lost with Redis. */
export const ATTEMPT_JOB = { attempts: 1, removeOnComplete: true, removeOnFail: true, stackTraceLimit: 1 } as const;

/** A colon would separate parts of a key. */
export const jobId = ({ id, attempts }: Attempt) => `${id}-${attempts}`;
