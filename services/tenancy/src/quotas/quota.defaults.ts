/** Injects the quotas of accounts without their own. */
export const QUOTA_DEFAULTS = Symbol('QuotaDefaults');
