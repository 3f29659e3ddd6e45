import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';

/** A mail, as text and as HTML. */
export interface Letter {
  to: string | readonly string[];
  subject: string;
  text: string;
  html: string;
  /** Keeps a mail that is sent twice recognisable (RFC 5322, 3.6.4). */
  messageId?: string;
}

export interface MailOptions {
  /** `smtp://` or `smtps://`; nodemailer's options may follow as a query, such as `?requireTLS=true`. */
  smtpUrl: string;
  /** The sender: an address, or a name with an address in angle brackets. */
  from: string;
  /** The hub's public origin, for links in mails. */
  hub: string;
}
export const MAIL_OPTIONS = Symbol('MailOptions');

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/** Hands mails to the mail server. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport: ReturnType<typeof transportOf>;

  constructor(options: MailOptions) {
    this.transport = transportOf(options);
  }

  /**
   * Resolves once the mail server has accepted the mail for one recipient at least; else rejects with nodemailer's error.
   * @returns the recipients that it refused
   */
  async send({ to, ...letter }: Letter): Promise<string[]> {
    // Address objects instead of a header to parse, so that no part of one becomes another recipient.
    const recipients = [to].flat().map((address) => ({ name: '', address }));
    const { rejected } = await this.transport.sendMail({ ...letter, to: recipients });
    return rejected;
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}

function transportOf({ smtpUrl, from }: MailOptions) {
  const limits = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS };
  return createTransport({ url: smtpUrl, ...limits, disableFileAccess: true, disableUrlAccess: true }, { from });
}
