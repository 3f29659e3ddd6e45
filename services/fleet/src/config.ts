import { commonConfig, databaseConfig, flagSchema, redisConfig } from '@warren/platform/config/common';
import { wholeNumber } from '@warren/platform/config/forms';
import { mailConfig } from '@warren/platform/mail/mail.config';
import { isIP } from 'node:net';
import { z } from 'zod';

const NETWORKS = 'expected networks separated by commas, such as 10.20.0.0/16,fd00:20::/64';

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  return family > 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Configuration of the fleet service, by environment variable. */
export const fleetConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  ...mailConfig.shape,
  /** Whether the history of metrics is kept at all. */
  METRICS_HISTORY: flagSchema.default(true),
  /** How long the history in steps of an hour is kept, besides the present month. */
  METRICS_MONTHS: wholeNumber(1, 60, 13).default(13),
  /** Encrypts URLs and secrets of channels. Two, separated by a comma, during rotation: the first encrypts. */
  CHANNEL_KEY: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .pipe(z.array(z.string().min(32, 'expected 32 characters or more, such as `openssl rand -hex 32` makes')).max(2))
    .optional(),
  /** Networks besides the Internet that webhooks may lead to, over plain http as well. */
  NOTIFY_PRIVATE_ADDRESSES: z
    .string()
    .transform((text) => text.split(',').map((network) => network.trim()))
    .pipe(z.array(z.string().refine(isNetwork, NETWORKS)).max(64, NETWORKS))
    .default([]),
});
export type FleetConfig = z.output<typeof fleetConfig>;
