import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AccountQuota, QuotaChangeSchema } from '@warren/proto/tenancy/v1/tenancy';
import { byteUnit, QUOTA_NAMES, QUOTAS, type QuotaName } from '@warren/rules/quotas';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';

const limitSchema = z.int().nullable().describe('Null: unlimited.');

const quotaSchema = z
  .object({
    name: z.enum(QUOTA_NAMES),
    limit: limitSchema,
    used: z
      .number()
      .describe('Present use; of API calls in the minute that runs, of traffic in GB in the month that runs.')
      .nullable(),
    source: z.enum(['default', 'own']).describe('`own`: set for this account in place of the default.'),
    default: z.int().nullable().describe("The installation's default. Null: unlimited."),
  })
  .meta({ id: 'Quota', examples: [{ name: 'devices', limit: 500, used: 73, source: 'own', default: 10_000 }] });
export type QuotaJson = z.output<typeof quotaSchema>;

export const quotasAnswerSchema = z
  .object({ result: z.object({ quotas: z.array(quotaSchema).describe('Empty for the operator account.') }) })
  .meta({ id: 'QuotasAnswer' });

export const quotasChangedSchema = doneSchema
  .extend({ result: quotasAnswerSchema.shape.result })
  .meta({ id: 'QuotasChanged' });

function wanted(name: QuotaName) {
  const { min, max, about } = QUOTAS[name];
  const error = `expected a whole number from ${min} to ${max}, unlimited or default`;
  return z
    .union([z.int().min(min, error).max(max, error), z.enum(['unlimited', 'default'])], { error })
    .optional()
    .describe(about);
}

type Wanted = ReturnType<typeof wanted>;

/** What is left out stays as it is. */
export const quotasBody = z
  .strictObject(
    Object.fromEntries(QUOTA_NAMES.map((name) => [name, wanted(name)])) as { [name in QuotaName]: Wanted },
    { error: (issue) => (issue.code === 'unrecognized_keys' ? `expected ${QUOTA_NAMES.join(', ')}` : undefined) },
  )
  .meta({ id: 'SetQuotas', examples: [{ devices: 500, users: 'unlimited', sockets: 'default' }] });
export type QuotasBody = z.output<typeof quotasBody>;

/** The changes that a body asks for, as tenancy takes them. */
export function quotaChanges(body: QuotasBody): MessageInitShape<typeof QuotaChangeSchema>[] {
  return QUOTA_NAMES.flatMap((name) => {
    const to = body[name];
    if (to === undefined) return [];
    return { name, to: typeof to === 'number' ? { case: 'limit', value: BigInt(to) } : { case: to, value: true } };
  });
}

/** @param uses of what tenancy does not count */
export function quotaJson(quota: AccountQuota & { name: QuotaName }, uses: Partial<Record<string, number>>): QuotaJson {
  const { name, limit, used, own, defaultLimit } = quota;
  const { each } = byteUnit(name) ?? { each: 1 };
  return {
    name,
    limit: numberOf(limit),
    used: used === undefined ? (uses[name] ?? null) : Number(used) / each,
    source: own ? 'own' : 'default',
    default: numberOf(defaultLimit),
  };
}

function numberOf(value: bigint | undefined): number | null {
  return value === undefined ? null : Number(value);
}
