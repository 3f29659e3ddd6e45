import { commonConfig, databaseConfig, redisConfig } from '@warren/platform/config/common';
import { accountName } from '@warren/rules/names';
import { z } from 'zod';
import { emailSchema } from './users/email.ts';

/** Configuration of the tenancy service, by environment variable. */
export const tenancyConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  /** Becomes SuperAdmin on the first start with an empty database. */
  OPERATOR_EMAIL: emailSchema,
  /** Name of the provider's own account, made at that start. */
  OPERATOR_ACCOUNT: accountName.default('Operator'),
  /** The hub's public origin; links in mails begin with it. */
  HUB_URL: z
    .url({ protocol: /^https?$/, error: 'expected http://host or https://host' })
    .transform((text) => new URL(text).origin),
  /** The mail server. Options of the connection may follow as a query, such as `?requireTLS=true`. */
  SMTP_URL: z.string().regex(/^smtps?:\/\//, 'expected smtp://host:port or smtps://user:password@host:port'),
  /** Whom mails come from: an address, or `Name <address>`; no-reply at the hub's host when not given. */
  MAIL_FROM: z
    .string()
    .regex(/^[^\p{Cc}]*[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, 'expected an address, or a name with an address in <>')
    .optional(),
});
export type TenancyConfig = z.output<typeof tenancyConfig>;
