import { fresh, keepLive } from './api.ts';
import { guestsApi as generated } from './generated/guests.ts';

/** Guest links, loaded with the screens that show them. */
export const guestsApi = generated.enhanceEndpoints({
  endpoints: {
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
