import { commonConfig, databaseConfig, flagSchema, redisConfig } from '@warren/platform/config/common';
import { wholeNumber } from '@warren/platform/config/forms';
import { outboundConfig } from '@warren/platform/config/outbound';
import { mailConfig } from '@warren/platform/mail/mail.config';
import { z } from 'zod';
import { remoteWriteConfig } from './remote-write/remote-write.config.ts';

/** Configuration of the fleet service, by environment variable. */
export const fleetConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  ...mailConfig.shape,
  ...outboundConfig.shape,
  ...remoteWriteConfig.shape,
  /** Whether the history of metrics is kept at all. */
  METRICS_HISTORY: flagSchema.default(true),
  /** How long the history in steps of an hour is kept, besides the present month. */
  METRICS_MONTHS: wholeNumber(1, 60, 13).default(13),
});
export type FleetConfig = z.output<typeof fleetConfig>;
