import { commonConfig, databaseConfig, deviceDomainSchema, redisConfig } from '@warren/platform/config/common';
import { quotaConfig } from '@warren/platform/config/quotas';
import { z } from 'zod';

/** Configuration of the devices service, by environment variable. */
export const devicesConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  ...quotaConfig.shape,
  /** Devices' web services are at `{slug}.{DEVICE_DOMAIN}`. */
  DEVICE_DOMAIN: deviceDomainSchema,
  /** How long a device that runs a new version counts as on trial in its rollout. 0: as long as its own updater says. */
  ROLLOUT_TRIAL_SECONDS: z.coerce.number().int().min(0).max(86_400).default(600),
});
export type DevicesConfig = z.output<typeof devicesConfig>;
