import { LIMITS } from '@warren/rules/limits';

/** Maximum size of a JSON body. */
export const JSON_LIMIT_BYTES = 100 * 1024;

/** Maximum size of a body of SCIM: a group with 1,000 members, each with its name and address. */
export const SCIM_LIMIT_BYTES = 512 * 1024;

/** Maximum size of a body that changes a profile: a picture of 1 MiB as base64, and JSON around it. */
export const PROFILE_LIMIT_BYTES = 1500 * 1024;

/** Maximum and default page size of lists (specification, section 9). */
export const PAGE = { max: LIMITS.pageMax, default: LIMITS.pageSize.devices, users: LIMITS.pageSize.users } as const;

/** Maximum page number; pages beyond it are always empty. */
export const MAX_PAGE = 1_000_000;

/** Lengths of a search; a shorter one is ignored (specification, section 5). */
export const SEARCH = { min: LIMITS.searchMin, max: LIMITS.searchMax } as const;
