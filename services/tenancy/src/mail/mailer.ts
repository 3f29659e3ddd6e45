import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';

/** A mail, as text and as HTML, to one person. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
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

  /** Resolves once the mail server has accepted the mail; else rejects with nodemailer's error. */
  async send({ to, ...letter }: Letter): Promise<void> {
    // An address object instead of a header to parse, so that no part of it becomes another recipient.
    await this.transport.sendMail({ ...letter, to: { name: '', address: to } });
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}

function transportOf({ smtpUrl, from }: MailOptions) {
  const limits = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS };
  return createTransport({ url: smtpUrl, ...limits, disableFileAccess: true, disableUrlAccess: true }, { from });
}
