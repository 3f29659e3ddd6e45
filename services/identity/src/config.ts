import { commonConfig, databaseConfig, redisConfig } from '@warren/platform/config/common';
import { oneOf, wholeSeconds } from '@warren/platform/config/forms';
import { z } from 'zod';

/** Configuration of the identity service, by environment variable. */
export const identityConfig = z
  .object({
    ...commonConfig.shape,
    ...databaseConfig.shape,
    ...redisConfig.shape,
    /** Seals sessions and socket tokens in Redis against forgery. Two, separated by a comma, during rotation: the first seals. */
    SESSION_KEY: z
      .string()
      .transform((text) => text.split(',').map((key) => key.trim()))
      .pipe(z.array(z.string().min(32, 'expected 32 characters or more, such as `openssl rand -hex 32` makes')).max(2))
      .optional(),
    /** Whether unsealed sessions are accepted, such as those from before there was a key. */
    UNSEALED_SESSIONS: oneOf('refuse', 'accept').default('refuse'),
    /** Idle timeout of a session. Default: 8 hours. */
    SESSION_IDLE_SECONDS: wholeSeconds(28_800).default(8 * 3600),
    /** A session ends after this long, used or not. Default: 7 days. */
    SESSION_ABSOLUTE_SECONDS: wholeSeconds(604_800).default(7 * 24 * 3600),
  })
  .refine((config) => config.SESSION_IDLE_SECONDS <= config.SESSION_ABSOLUTE_SECONDS, {
    path: ['SESSION_IDLE_SECONDS'],
    error: 'expected at most SESSION_ABSOLUTE_SECONDS, which is 604800 unless it is set',
  });
export type IdentityConfig = z.output<typeof identityConfig>;
