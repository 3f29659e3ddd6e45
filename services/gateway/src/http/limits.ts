import { LIMITS } from '@warren/rules/limits';

/** The largest JSON body that the API reads. */
export const JSON_LIMIT_BYTES = 100 * 1024;

/** The largest body that changes a profile: a picture of 1 MiB as base64, and what stands around it. */
export const PROFILE_LIMIT_BYTES = 1500 * 1024;

/** The maximum and default page size of lists (specification, section 9). */
export const PAGE = { max: LIMITS.pageMax, default: LIMITS.pageSize.devices, users: LIMITS.pageSize.users } as const;

/** The largest page number: beyond it a list could only be empty. */
export const MAX_PAGE = 1_000_000;

/** A search shorter than `min` is no search (specification, section 5). */
export const SEARCH = { min: LIMITS.searchMin, max: LIMITS.searchMax } as const;
