import { z } from 'zod';
import { originSchema } from '../config/common.ts';
import { textOf } from '../config/forms.ts';
import type { MailOptions } from './mailer.ts';

/** The settings of a process that sends mail. */
export const mailConfig = z.object({
  /** The hub's public origin; links in mails begin with it. */
  HUB_URL: originSchema,
  /** The mail server. Options of the connection may follow as a query, such as `?requireTLS=true`. */
  SMTP_URL: textOf(
    /^smtps?:\/\//,
    'expected smtp://host:port or smtps://user:password@host:port, such as smtp://mail:25',
  ),
  /** Whom mails come from: an address, or `Name <address>`; no-reply at the hub's host when not given. */
  MAIL_FROM: z
    .string()
    .regex(
      /^[^\p{Cc}]*[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u,
      'expected an address, or a name with an address in <>, such as Warren <no-reply@example.com>',
    )
    .optional(),
});
export type MailConfig = z.output<typeof mailConfig>;

/** How a process reaches the mail server, and as whom it writes. */
export function mailOptions({ HUB_URL: hub, SMTP_URL: smtpUrl, MAIL_FROM }: MailConfig): MailOptions {
  return { hub, smtpUrl, from: MAIL_FROM ?? `Warren <no-reply@${new URL(hub).hostname}>` };
}
