import { commonConfig, databaseConfig, redisConfig } from '@warren/platform/config/common';
import { wholeNumber } from '@warren/platform/config/forms';
import { quotaConfig } from '@warren/platform/config/quotas';
import { mailConfig } from '@warren/platform/mail/mail.config';
import { emailSetting } from '@warren/rules/emails';
import { accountName, NAME_MAX } from '@warren/rules/names';
import { isIP } from 'node:net';
import { z } from 'zod';

const SERVERS =
  'expected IP addresses of DNS servers, several separated by commas, such as 192.0.2.53 or 192.0.2.53:5353';

function isServer(text: string): boolean {
  const [, address = text, port = '53'] =
    /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text) ?? /^([^:]+):(\d{1,5})$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(port) > 0 && Number(port) < 65_536;
}

const ACCOUNT = `expected up to ${NAME_MAX} letters, digits and spaces, such as Operator`;

/** Configuration of the tenancy service, by environment variable. */
export const tenancyConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  ...quotaConfig.shape,
  ...mailConfig.shape,
  /** Becomes SuperAdmin on the first start with an empty database. */
  OPERATOR_EMAIL: emailSetting,
  /** Name of the provider's own account, made at that start. */
  OPERATOR_ACCOUNT: z
    .string()
    .refine((text) => accountName.safeParse(text).success, ACCOUNT)
    .pipe(accountName)
    .default('Operator'),
  /** Hours after which the last backup is too old, for the alert; 0 if backups are made elsewhere. */
  BACKUP_MAX_AGE_HOURS: wholeNumber(0, 8_784, 50).default(0),
  /** The DNS servers that prove domains of accounts; without it those of the system. */
  DNS_SERVERS: z
    .string()
    .transform((text) => text.split(',').map((server) => server.trim()))
    .pipe(z.array(z.string().refine(isServer, SERVERS)))
    .optional(),
});
export type TenancyConfig = z.output<typeof tenancyConfig>;
