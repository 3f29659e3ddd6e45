import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Outbox } from '@warren/platform/events/outbox';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { MailPublisher } from '../mails/mail.publisher.ts';
import { claimMails, dropOldMails } from './mails.sql.ts';
import { ACCESS_MAILS, jobId, type QueuedAccessMail } from './request.queue.ts';

/** Moves due mails about access requests to their queue, and gives up those that could not be sent for long. */
@Injectable()
export class RequestPublisher extends MailPublisher<QueuedAccessMail> {
  constructor(source: DataSource, outbox: Outbox, @InjectQueue(ACCESS_MAILS) queue: Queue<QueuedAccessMail>) {
    super(outbox, queue, {
      of: RequestPublisher.name,
      after: 'accessRequestChanged',
      claim: (limit) => claimMails(source, limit),
      jobId,
      first: () => dropOldMails(source),
    });
  }
}
