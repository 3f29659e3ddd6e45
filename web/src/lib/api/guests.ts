import type { FetchBaseQueryMeta } from '@reduxjs/toolkit/query/react';
import { fresh, keepLive } from './api.ts';
import { guestsApi as generated } from './generated/guests.ts';

/** Seconds until a retry if the hub sends no `Retry-After`. */
const RETRY_S = 5;

/** Adds the seconds of `Retry-After` to an error. */
function withRetryAfter<E extends object>(error: E, meta: FetchBaseQueryMeta | undefined): E {
  const retryAfter = Number(meta?.response?.headers.get('retry-after'));
  return retryAfter > 0 ? { ...error, retryAfter } : error;
}

/** Returns the seconds until a failed call may be repeated. */
export const retryAfterOf = (error: unknown): number =>
  (error as { retryAfter?: number } | undefined)?.retryAfter ?? RETRY_S;

/** Guest links, loaded with the screens that show them. */
export const guestsApi = generated.enhanceEndpoints({
  endpoints: {
    getGuestSession: { transformErrorResponse: withRetryAfter },
    lookUpGuestLink: { transformErrorResponse: withRetryAfter },
    createGuestLink: { invalidatesTags: ['GuestLink'] },
    endGuestLink: { invalidatesTags: ['GuestLink'] },
    listGuestLinks: {
      providesTags: ['GuestLink'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listGuestLinks.initiate(arg, fresh)),
          (change) => change.kind === 'guest',
        ),
    },
  },
});
