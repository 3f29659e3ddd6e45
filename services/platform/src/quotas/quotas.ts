import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Quotas, QuotasSchema } from '@warren/proto/common/v1/common';
import { isQuotaName, reachedText, type OwnQuotas, type QuotaName } from '@warren/rules/quotas';
import { Fault } from '../errors/fault.ts';
import { quotaRefusals } from './metrics.ts';

/** Quotas as they travel between services. */
export function quotasMessage(quotas: OwnQuotas): MessageInitShape<typeof QuotasSchema> {
  const entries = Object.entries(quotas).filter(([name]) => isQuotaName(name));
  return {
    quotas: entries.map(([name, limit]) => ({ name, ...(limit === null ? {} : { limit: BigInt(limit) }) })),
  };
}

/** Quotas that another service sent. Names that this version does not know are left out. */
export function quotasOf(message: Quotas | undefined): OwnQuotas {
  const known = (message?.quotas ?? []).filter(({ name }) => isQuotaName(name));
  return Object.fromEntries(known.map(({ name, limit }) => [name, limit === undefined ? null : Number(limit)]));
}

/** A limit that another service sent, to be passed on; undefined: unlimited, or not known. */
export function limitIn(message: Quotas | undefined, name: QuotaName): bigint | undefined {
  return message?.quotas.find((quota) => quota.name === name)?.limit;
}

/** The refusal of one more than an account may have, counted. */
export function quotaReached(name: QuotaName, limit: number): Fault {
  quotaRefusals.inc({ quota: name });
  return new Fault('quota_reached', reachedText(name, limit));
}

/**
 * Requires that an account may have that many.
 * @param limit null or not given: unlimited
 * @param total how many there would be then
 * @throws Fault `quota_reached`
 */
export function requireQuota(name: QuotaName, limit: number | null | undefined, total: number): void {
  if (typeof limit === 'number' && total > limit) throw quotaReached(name, limit);
}
