import { commonConfig, databaseConfig } from '@warren/platform/config/common';
import { accountName } from '@warren/rules/names';
import { z } from 'zod';
import { emailSchema } from './users/email.ts';

/** Configuration of the tenancy service, by environment variable. */
export const tenancyConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  /** Becomes SuperAdmin on the first start with an empty database. */
  OPERATOR_EMAIL: emailSchema,
  /** Name of the provider's own account, made at that start. */
  OPERATOR_ACCOUNT: accountName.default('Operator'),
});
export type TenancyConfig = z.output<typeof tenancyConfig>;
