import {
  Injectable,
  Inject,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Outbox } from '@warren/platform/events/outbox';
import { failureText } from '@warren/platform/mail/failure';
import { MAIL_OPTIONS, Mailer, type MailOptions } from '@warren/platform/mail/mailer';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { mailsTotal } from '../telemetry/metrics.ts';
import { claimMails, dropOldMails, removeMail, type AccessMail } from './mails.sql.ts';
import { requestLetter } from './request.letter.ts';

const EVERY_MS = 10_000;
const BATCH = 20;

/**
 * Sends the mails about access requests: at once after a change, and again later those that the mail server did not take. Their rows are
 * written with the change, so none is lost; one whose sender died is sent twice at most, with the same message id.
 */
@Injectable()
export class RequestPost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RequestPost.name);
  private readonly rounds = new Rounds({
    of: RequestPost.name,
    everyMs: EVERY_MS,
    failed: 'Mails about access requests wait',
    round: () => this.sendDue(),
  });
  private unfollow: (() => void) | undefined;
  /** A request has changed since the running round started. */
  private asked = false;
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly outbox: Outbox,
    private readonly mailer: Mailer,
    @Inject(MAIL_OPTIONS) private readonly options: MailOptions,
  ) {}

  onApplicationBootstrap(): void {
    this.unfollow = this.outbox.afterPublishing('accessRequestChanged', () => {
      this.asked = true;
      void this.rounds.now();
    });
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.unfollow?.();
    await this.rounds.stop();
  }

  private async sendDue(): Promise<void> {
    await dropOldMails(this.source);
    for (let claimed = BATCH; !this.stopping && (this.asked || claimed === BATCH);) {
      this.asked = false;
      const mails = await claimMails(this.source, BATCH);
      await Promise.all(mails.map((mail) => this.send(mail)));
      claimed = mails.length;
    }
  }

  private async send(mail: AccessMail): Promise<void> {
    // Nobody need decide any more.
    if (mail.kind === 'asked' && mail.state !== 'open') return removeMail(this.source, mail.id);
    try {
      await this.mailer.send(requestLetter({ ...mail, hub: this.options.hub }));
    } catch (error) {
      mailsTotal.inc({ result: 'failed' });
      this.log.warn({ request: mail.request_id, problem: failureText(error) }, 'No mail about an access request');
      return;
    }
    mailsTotal.inc({ result: 'sent' });
    await removeMail(this.source, mail.id);
  }
}
