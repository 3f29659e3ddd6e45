import { expectedOf, fitsQuota, QUOTA_NAMES, QUOTAS, type QuotaLimits, type QuotaName } from '@warren/rules/quotas';
import { z } from 'zod';

type Setting = `QUOTA_${Uppercase<QuotaName>}`;
type Limit = z.ZodType<number | null, string | undefined>;

/** The variable with the installation's default of a quota. */
export function quotaSetting(name: QuotaName): Setting {
  return `QUOTA_${name.toUpperCase() as Uppercase<QuotaName>}`;
}

function limitOf(name: QuotaName): Limit {
  const { standard } = QUOTAS[name];
  return z
    .string()
    .refine((text) => text === 'unlimited' || (/^\d{1,15}$/.test(text) && fitsQuota(name, Number(text))), {
      error: `${expectedOf(name)}, such as ${standard ?? 500}`,
    })
    .transform((text) => (text === 'unlimited' ? null : Number(text)))
    .default(standard);
}

/** The default quotas of accounts: `QUOTA_DEVICES` and so on. The same for all services that read them. */
export const quotaConfig = z.object(
  Object.fromEntries(QUOTA_NAMES.map((name) => [quotaSetting(name), limitOf(name)])) as Record<Setting, Limit>,
);

/** The installation's defaults. */
export function quotaDefaults(config: z.output<typeof quotaConfig>): QuotaLimits {
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, config[quotaSetting(name)]])) as Record<
    QuotaName,
    number | null
  >;
}
