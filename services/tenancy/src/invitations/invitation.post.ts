import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { Job } from 'bullmq';
import { DataSource } from 'typeorm';
import type { DeliveryName } from '../contract/enums.ts';
import { invitationChanged } from '../events/tenancy.event.ts';
import { MAIL_OPTIONS, Mailer, type MailOptions } from '@warren/platform/mail/mailer';
import { MAIL_WORKER } from '../mails/mail.job.ts';
import { MailWorker } from '../mails/mail.worker.ts';
import { invitationLetter } from './invitation.letter.ts';
import { INVITATION_MAILS, type InvitationMail } from './invitation.queue.ts';
import type { InvitationRow } from './invitation.row.ts';
import { giveToken, invitationOf, noteDelivery } from './invitations.sql.ts';
import { hashOf, newToken } from './token.ts';

/** Sends the queued mails of invitations. */
@Processor(INVITATION_MAILS, MAIL_WORKER)
export class InvitationPost extends MailWorker {
  private readonly source: DataSource;
  private readonly outbox: EventfulTransactions;
  private readonly options: MailOptions;

  constructor(
    source: DataSource,
    @Inject(Outbox) outbox: EventfulTransactions,
    mailer: Mailer,
    @Inject(MAIL_OPTIONS) options: MailOptions,
  ) {
    super(InvitationPost.name, mailer);
    this.source = source;
    this.outbox = outbox;
    this.options = options;
  }

  /** Sends one mail, unless its invitation was cancelled, accepted, resent or has expired. */
  async process({ data }: Job<InvitationMail>): Promise<void> {
    const token = newToken();
    const row = await this.prepare(data, token);
    if (!row) return;
    const letter = invitationLetter({ ...row, hub: this.options.hub, token });
    await this.deliver(letter, { invitation: data.invitation }, (problem) => this.note(data, 'Failing', problem));
    await this.note(data, 'Sent', '');
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
