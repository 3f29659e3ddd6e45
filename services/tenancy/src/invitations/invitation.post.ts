import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { Job } from 'bullmq';
import { DataSource } from 'typeorm';
import type { DeliveryName } from '../contract/enums.ts';
import { invitationChanged } from '../events/tenancy.event.ts';
import { failureText } from '@warren/platform/mail/failure';
import { MAIL_OPTIONS, Mailer, type MailOptions } from '@warren/platform/mail/mailer';
import { mailsTotal } from '../telemetry/metrics.ts';
import { invitationLetter } from './invitation.letter.ts';
import { INVITATION_MAILS, retryDelay, type InvitationMail } from './invitation.queue.ts';
import type { InvitationRow } from './invitation.row.ts';
import { giveToken, invitationOf, noteDelivery } from './invitations.sql.ts';
import { hashOf, newToken } from './token.ts';

/** How long a command blocks at Redis for a mail, which ends it at once. Longer is unsafe when the connection breaks (BullMQ, issue 1658). */
const IDLE_SECONDS = 10;

/** Sends the queued mails of invitations. */
@Processor(INVITATION_MAILS, {
  concurrency: 4,
  drainDelay: IDLE_SECONDS,
  settings: { backoffStrategy: (attempts) => retryDelay(attempts) },
})
export class InvitationPost extends WorkerHost implements BeforeApplicationShutdown {
  private readonly log = new Logger(InvitationPost.name);
  private readonly source: DataSource;
  private readonly outbox: EventfulTransactions;
  private readonly mailer: Mailer;
  private readonly options: MailOptions;

  constructor(
    source: DataSource,
    @Inject(Outbox) outbox: EventfulTransactions,
    mailer: Mailer,
    @Inject(MAIL_OPTIONS) options: MailOptions,
  ) {
    super();
    this.source = source;
    this.outbox = outbox;
    this.mailer = mailer;
    this.options = options;
  }

  /** Sends one mail, unless its invitation was cancelled, accepted, resent or has expired. */
  async process({ data }: Job<InvitationMail>): Promise<void> {
    const token = newToken();
    const row = await this.prepare(data, token);
    if (!row) return;
    try {
      await this.mailer.send(invitationLetter({ ...row, hub: this.options.hub, token }));
    } catch (error) {
      mailsTotal.inc({ result: 'failed' });
      const problem = failureText(error);
      this.log.warn({ invitation: data.invitation, code: (error as { code?: unknown }).code }, `No mail: ${problem}`);
      await this.note(data, 'Failing', problem);
      // The queue stores this text, so it must not contain the mail server's own.
      throw new Error(problem, { cause: error });
    }
    mailsTotal.inc({ result: 'sent' });
    await this.note(data, 'Sent', '');
  }

  /** Finishes the mail in flight while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.debug(`The queue of mails does not answer: ${error.message}`);
  }

  private async prepare(mail: InvitationMail, token: string): Promise<InvitationRow | undefined> {
    const due = await giveToken(this.source, mail, hashOf(token));
    return due ? invitationOf(this.source, mail.invitation) : undefined;
  }

  private note(mail: InvitationMail, delivery: DeliveryName, problem: string): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      for (const row of await noteDelivery(manager, mail, delivery, problem)) emit(invitationChanged(row));
    });
  }
}
