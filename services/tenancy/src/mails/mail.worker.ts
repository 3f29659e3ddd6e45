import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { failureText } from '@warren/platform/mail/failure';
import type { Letter, Mailer } from '@warren/platform/mail/mailer';
import { mailsTotal } from '../telemetry/metrics.ts';

/** Log fields of a mail that the server refused. */
type About = Readonly<Record<string, string>>;

/** Sends the queued mails of one kind. */
export abstract class MailWorker extends WorkerHost implements BeforeApplicationShutdown {
  private readonly log: Logger;
  private readonly mailer: Mailer;

  protected constructor(of: string, mailer: Mailer) {
    super();
    this.log = new Logger(of);
    this.mailer = mailer;
  }

  /** Finishes the mail in flight while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError({ message }: Error): void {
    this.log.debug({ problem: message }, 'The queue of mails does not answer.');
  }

  /**
   * Hands a mail to the mail server.
   * @param failed runs if it was not taken
   * @throws Error if it was not taken. The queue stores its text, so it contains no more than what people may see.
   */
  protected async deliver(letter: Letter, about: About, failed?: (problem: string) => Promise<void>): Promise<void> {
    try {
      await this.mailer.send(letter);
    } catch (error) {
      mailsTotal.inc({ result: 'failed' });
      const problem = failureText(error);
      this.log.warn(
        { ...about, code: (error as { code?: unknown }).code, problem },
        'Sending a mail failed; retrying.',
      );
      await failed?.(problem);
      throw new Error(problem, { cause: error });
    }
    mailsTotal.inc({ result: 'sent' });
  }
}
