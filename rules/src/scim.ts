/** Bounds of provisioning by SCIM: tokens of an account, resources of a page, and what one request may carry. */
export const SCIM_LIMITS = { tokens: 2, page: 100, operations: 1_000, members: 1_000, filter: 512, text: 256 } as const;
