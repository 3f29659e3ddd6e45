import { commonConfig, databaseConfig, originSchema, redisConfig } from '@warren/platform/config/common';
import { textOf, wholeNumber } from '@warren/platform/config/forms';
import { quotaConfig } from '@warren/platform/config/quotas';
import { emailSetting } from '@warren/rules/emails';
import { accountName, NAME_MAX } from '@warren/rules/names';
import { z } from 'zod';

const ACCOUNT = `expected up to ${NAME_MAX} letters, digits and spaces, such as Operator`;

/** Configuration of the tenancy service, by environment variable. */
export const tenancyConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  ...quotaConfig.shape,
  /** Becomes SuperAdmin on the first start with an empty database. */
  OPERATOR_EMAIL: emailSetting,
  /** Name of the provider's own account, made at that start. */
  OPERATOR_ACCOUNT: z
    .string()
    .refine((text) => accountName.safeParse(text).success, ACCOUNT)
    .pipe(accountName)
    .default('Operator'),
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
  /** Hours after which the last backup is too old, for the alert; 0 if backups are made elsewhere. */
  BACKUP_MAX_AGE_HOURS: wholeNumber(0, 8_784, 50).default(0),
});
export type TenancyConfig = z.output<typeof tenancyConfig>;
