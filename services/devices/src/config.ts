import { commonConfig, databaseConfig, redisConfig } from '@warren/platform/config/common';
import { z } from 'zod';

/** Configuration of the devices service, by environment variable. */
export const devicesConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  /** Devices' web pages are at `{slug}.{DEVICE_DOMAIN}`. */
  DEVICE_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/, 'expected a host name, with :port if need be'),
});
export type DevicesConfig = z.output<typeof devicesConfig>;
