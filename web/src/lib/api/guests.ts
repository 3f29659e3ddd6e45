import type { FetchBaseQueryMeta } from '@reduxjs/toolkit/query/react';
import { fresh, keepLive } from './api.ts';
import { guestsApi as generated } from './generated/guests.ts';

/** If the hub names no time. */
const RETRY_S = 5;

/** Adds what the hub says in `Retry-After` to an error. */
function withRetryAfter<E extends object>(error: E, meta: FetchBaseQueryMeta | undefined): E {
  const retryAfter = Number(meta?.response?.headers.get('retry-after'));
  return retryAfter > 0 ? { ...error, retryAfter } : error;
}

/** Returns after how many seconds the page of a guest may ask again. */
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
