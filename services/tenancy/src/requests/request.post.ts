import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { MAIL_OPTIONS, Mailer, type MailOptions } from '@warren/platform/mail/mailer';
import type { Job } from 'bullmq';
import { DataSource } from 'typeorm';
import { MAIL_WORKER } from '../mails/mail.job.ts';
import { MailWorker } from '../mails/mail.worker.ts';
import { beginMail, removeMail } from './mails.sql.ts';
import { requestLetter } from './request.letter.ts';
import { ACCESS_MAILS, type QueuedAccessMail } from './request.queue.ts';

/**
 * Sends the queued mails about access requests. Their rows are written with the change, so none is lost. If the process dies after
 * sending, the mail is sent again with the same message id.
 */
@Processor(ACCESS_MAILS, MAIL_WORKER)
export class RequestPost extends MailWorker {
  private readonly source: DataSource;
  private readonly options: MailOptions;

  constructor(source: DataSource, mailer: Mailer, @Inject(MAIL_OPTIONS) options: MailOptions) {
    super(RequestPost.name, mailer);
    this.source = source;
    this.options = options;
  }

  /** Sends one mail, unless it was sent, given up, or nobody need decide any more. */
  async process({ data }: Job<QueuedAccessMail>): Promise<void> {
    const mail = await beginMail(this.source, data);
    if (!mail) return;
    const isVoid = mail.kind === 'asked' && mail.state !== 'open';
    if (!isVoid) await this.deliver(requestLetter({ ...mail, hub: this.options.hub }), { request: data.request });
    await removeMail(this.source, data);
  }
}
