import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { Job } from 'bullmq';
import { DataSource } from 'typeorm';
import type { DeliveryName } from '../contract/enums.ts';
import { invitationChanged } from '../events/tenancy.event.ts';
import { failureText } from '../mail/failure.ts';
import { MAIL_OPTIONS, Mailer, type MailOptions } from '../mail/mailer.ts';
import { mailsTotal } from '../telemetry/metrics.ts';
import { invitationLetter } from './invitation.letter.ts';
import { INVITATION_MAILS, retryDelay, type InvitationMail } from './invitation.queue.ts';
import { SELECT_INVITATION, type InvitationRow } from './invitation.row.ts';
import { hashOf, newToken } from './token.ts';

/** The mail's token replaces that of a former attempt, whose mail never arrived. */
const GIVE_TOKEN = `
  UPDATE invitations SET token_hash = $3
  WHERE id = $1 AND mailing = $2 AND delivery <> 'Sent' AND expires > now()
  RETURNING id`;

/** The seven days count from the mail. Writes nothing if the state is unchanged. */
const NOTE = `
  UPDATE invitations SET delivery = $3, delivery_problem = $4,
    expires = CASE WHEN $3 = 'Sent' THEN now() + interval '7 days' ELSE expires END
  WHERE id = $1 AND mailing = $2 AND (delivery, delivery_problem) <> ($3, $4)
  RETURNING id, account_id AS "accountId"`;

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

  private async prepare({ invitation, mailing }: InvitationMail, token: string): Promise<InvitationRow | undefined> {
    const values = [invitation, mailing, hashOf(token)];
    const [given] = await this.source.query<[{ id: string }[], number]>(GIVE_TOKEN, values);
    if (given.length === 0) return undefined;
    const [row] = await this.source.query<InvitationRow[]>(`${SELECT_INVITATION} WHERE i.id = $1`, [invitation]);
    return row;
  }

  private note({ invitation, mailing }: InvitationMail, delivery: DeliveryName, problem: string): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      const values = [invitation, mailing, delivery, problem];
      const [rows] = await manager.query<[{ id: string; accountId: string }[], number]>(NOTE, values);
      for (const row of rows) emit(invitationChanged(row));
    });
  }
}
