import { fresh, inAccount, keepLive } from './api.ts';
import { tokensApi as generated } from './generated/tokens.ts';

/** API tokens and service accounts, loaded with the screens that show them. */
export const tokensApi = generated.enhanceEndpoints({
  endpoints: {
    listOwnTokens: { providesTags: ['Token'] },
    listTokens: { providesTags: ['Token'] },
    createToken: { invalidatesTags: ['Token'] },
    revokeOwnToken: { invalidatesTags: ['Token'] },
    revokeToken: { invalidatesTags: ['Token'] },
    createServiceAccountToken: { invalidatesTags: ['Token'] },
    createServiceAccount: { invalidatesTags: ['ServiceAccount'] },
    updateServiceAccount: { invalidatesTags: ['ServiceAccount', 'Token', 'Access'] },
    deleteServiceAccount: { invalidatesTags: ['ServiceAccount', 'Token', 'Access'] },
    listServiceAccounts: {
      providesTags: ['ServiceAccount'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listServiceAccounts.initiate(arg, fresh)),
          // Services announce a service account as a user.
          (change) => change.kind === 'user' && inAccount(arg.id, change),
        ),
    },
  },
});
