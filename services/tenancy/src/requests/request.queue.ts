/** Name of the queue of mails about access requests. */
export const ACCESS_MAILS = 'access-mails';

/** A queued mail. It names the request and the recipient, and contains no personal data: the job reads the row. */
export interface QueuedAccessMail {
  request: string;
  user: string;
  kind: 'asked' | 'ended';
}

/** Returns the job's id, so that a mail is queued at most once. A colon would separate parts of a key. */
export const jobId = ({ request, user, kind }: QueuedAccessMail) => `${request}-${user}-${kind}`;
