/** Name of the queue of invitation mails. */
export const INVITATION_MAILS = 'invitation-mails';

/**
 * A queued mail. It contains the ids of the invitation and the round of sending, and neither personal data nor the token, which is
 * created with the mail. The job's id is the round, so a mail is queued at most once.
 */
export interface InvitationMail {
  invitation: string;
  mailing: string;
}

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 10 * 60_000;

/** Attempts that outlast the seven days of an invitation, at ten minutes each. */
const ATTEMPTS = 2_000;

/** How a mail waits: it is tried until it is out or void, and leaves nothing behind then. */
export const MAIL_JOB = {
  attempts: ATTEMPTS,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 1,
} as const;

/** Milliseconds before the next try: 1 s, doubled each time up to 10 minutes, by up to a fifth less so that mails spread. */
export function retryDelay(attemptsMade: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attemptsMade - 1, 20), MAX_RETRY_MS);
  return Math.round(delay * (1 - random() / 5));
}
