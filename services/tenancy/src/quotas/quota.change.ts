import type { QuotaChange } from '@warren/proto/tenancy/v1/tenancy';
import { expectedOf, fitsQuota, isQuotaName, QUOTA_NAMES, type OwnQuotas, type QuotaName } from '@warren/rules/quotas';
import { invalid } from '../contract/check.ts';

/**
 * Applies changes to the quotas of an account.
 * @throws Fault `invalid_argument` that names the invalid change
 */
export function changedQuotas(before: OwnQuotas, changes: readonly QuotaChange[]): OwnQuotas {
  const after = new Map(Object.entries(before));
  for (const { name, to } of changes) {
    if (!isQuotaName(name)) throw invalid('quotas', `expected ${QUOTA_NAMES.join(', ')}.`, name);
    if (to.case === 'default') after.delete(name);
    else after.set(name, to.case === 'unlimited' ? null : limitOf(name, to));
  }
  return Object.fromEntries(after);
}

/** The quotas of an account for the audit trail, in which a quota without a limit differs from one that is not set. */
export function quotaFields(quotas: OwnQuotas): Record<QuotaName, number | string> {
  const values = QUOTA_NAMES.map((name) => [
    name,
    quotas[name] === undefined ? 'default' : (quotas[name] ?? 'unlimited'),
  ]);
  return Object.fromEntries(values) as Record<QuotaName, number | string>;
}

function limitOf(name: QuotaName, to: QuotaChange['to']): number {
  const limit = to.case === 'limit' ? Number(to.value) : undefined;
  if (limit === undefined || !fitsQuota(name, limit)) throw invalid(name, `${expectedOf(name)}.`, limit);
  return limit;
}
