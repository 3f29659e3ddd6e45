import { commonConfig, databaseConfig } from '@warren/platform/config/common';
import { z } from 'zod';
import { accountNameSchema } from './accounts/account-name.ts';
import { emailSchema } from './users/email.ts';

/** Configuration of the tenancy service, by environment variable. */
export const tenancyConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  /** Becomes SuperAdmin on the first start with an empty database. */
  OPERATOR_EMAIL: emailSchema,
  /** Name of the provider's own account, made at that start. */
  OPERATOR_ACCOUNT: accountNameSchema.default('Operator'),
});
export type TenancyConfig = z.output<typeof tenancyConfig>;
