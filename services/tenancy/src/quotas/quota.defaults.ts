/** Injects what accounts may have that have no quotas of their own. */
export const QUOTA_DEFAULTS = Symbol('QuotaDefaults');
