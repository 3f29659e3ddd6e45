import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Quotas, QuotasSchema } from '@warren/proto/common/v1/common';
import { isQuotaName, reachedText, type OwnQuotas, type QuotaName } from '@warren/rules/quotas';
import { Fault } from '../errors/fault.ts';
import { quotaRefusals } from './metrics.ts';

/** Quotas as they travel between services. @param usedUp those that nothing is left of */
export function quotasMessage(
  quotas: OwnQuotas,
  usedUp: readonly QuotaName[] = [],
): MessageInitShape<typeof QuotasSchema> {
  const names = Object.keys(quotas).filter(isQuotaName);
  return {
    quotas: names.map((name) => {
      const limit = quotas[name];
      return {
        name,
        ...(typeof limit === 'number' ? { limit: BigInt(limit) } : {}),
        ...(usedUp.includes(name) ? { usedUp: true } : {}),
      };
    }),
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

/**
 * Requires that something is left of a quota which another service counts.
 * @throws Fault `quota_reached`
 */
export function requireLeft(message: Quotas | undefined, name: QuotaName): void {
  const quota = message?.quotas.find((one) => one.name === name);
  if (quota?.usedUp) throw quotaReached(name, Number(quota.limit));
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
