import { commonConfig, databaseConfig, deviceDomainSchema, redisConfig } from '@warren/platform/config/common';
import { z } from 'zod';

/** Configuration of the devices service, by environment variable. */
export const devicesConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  /** Devices' web pages are at `{slug}.{DEVICE_DOMAIN}`. */
  DEVICE_DOMAIN: deviceDomainSchema,
});
export type DevicesConfig = z.output<typeof devicesConfig>;
