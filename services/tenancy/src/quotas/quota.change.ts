import type { QuotaChange } from '@warren/proto/tenancy/v1/tenancy';
import {
  expectedOf,
  fitsQuota,
  isQuotaName,
  QUOTA_NAMES,
  type OwnQuotas,
  type QuotaLimits,
  type QuotaName,
} from '@warren/rules/quotas';
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

/** Describes the differences for people; empty without any. */
export function changeText(before: OwnQuotas, after: OwnQuotas, defaults: QuotaLimits): string {
  const shown = (quotas: OwnQuotas, name: QuotaName) => {
    const own = quotas[name];
    return own === undefined ? `default (${defaults[name] ?? 'unlimited'})` : String(own ?? 'unlimited');
  };
  return QUOTA_NAMES.filter((name) => before[name] !== after[name])
    .map((name) => `${name} from ${shown(before, name)} to ${shown(after, name)}`)
    .join(', ');
}

function limitOf(name: QuotaName, to: QuotaChange['to']): number {
  const limit = to.case === 'limit' ? Number(to.value) : undefined;
  if (limit === undefined || !fitsQuota(name, limit)) throw invalid(name, `${expectedOf(name)}.`, limit);
  return limit;
}
