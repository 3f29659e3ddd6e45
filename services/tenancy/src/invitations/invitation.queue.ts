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
