import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Outbox } from '@warren/platform/events/outbox';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { MailPublisher } from '../mails/mail.publisher.ts';
import { mailsWaiting } from '../telemetry/metrics.ts';
import { INVITATION_MAILS, type InvitationMail } from './invitation.queue.ts';
import { claimMails, countUnsent } from './invitations.sql.ts';

/** Moves due mails of invitations to their queue. */
@Injectable()
export class InvitationPublisher extends MailPublisher<InvitationMail> {
  constructor(source: DataSource, outbox: Outbox, @InjectQueue(INVITATION_MAILS) queue: Queue<InvitationMail>) {
    super(outbox, queue, {
      of: InvitationPublisher.name,
      after: 'invitationChanged',
      claim: (limit) => claimMails(source, limit),
      jobId: ({ mailing }) => mailing,
      first: async () => mailsWaiting.set(await countUnsent(source)),
    });
  }
}
