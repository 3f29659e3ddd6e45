import { commonConfig, databaseConfig, redisConfig } from '@warren/platform/config/common';
import { wholeSeconds } from '@warren/platform/config/forms';
import { z } from 'zod';

/** Configuration of the identity service, by environment variable. */
export const identityConfig = z
  .object({
    ...commonConfig.shape,
    ...databaseConfig.shape,
    ...redisConfig.shape,
    /** A session that nobody uses for this long ends. Default: 8 hours. */
    SESSION_IDLE_SECONDS: wholeSeconds(28_800).default(8 * 3600),
    /** A session ends after this long, used or not. Default: 7 days. */
    SESSION_ABSOLUTE_SECONDS: wholeSeconds(604_800).default(7 * 24 * 3600),
  })
  .refine((config) => config.SESSION_IDLE_SECONDS <= config.SESSION_ABSOLUTE_SECONDS, {
    path: ['SESSION_IDLE_SECONDS'],
    error: 'expected at most SESSION_ABSOLUTE_SECONDS, which is 604800 unless it is set',
  });
export type IdentityConfig = z.output<typeof identityConfig>;
