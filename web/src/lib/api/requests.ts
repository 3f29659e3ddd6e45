import { fresh, inAccount, keepLive } from './api.ts';
import type { ChangeEvent } from './changes.ts';
import { requestsApi as generated } from './generated/requests.ts';

const KINDS: readonly string[] = ['request', 'access', 'user', 'group'];
const concerns = (account: string) => (change: ChangeEvent) =>
  KINDS.includes(change.kind) && inAccount(account, change);

/** Access requests and the rules about them, loaded with the screens that show them. */
export const requestsApi = generated.enhanceEndpoints({
  endpoints: {
    setAccessRules: { invalidatesTags: ['AccessRequest', 'Session'] },
    createAccessRequest: { invalidatesTags: ['AccessRequest'] },
    approveAccessRequest: { invalidatesTags: ['AccessRequest', 'Access'] },
    denyAccessRequest: { invalidatesTags: ['AccessRequest'] },
    withdrawAccessRequest: { invalidatesTags: ['AccessRequest'] },
    getAccessRules: {
      providesTags: ['AccessRequest'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getAccessRules.initiate(arg, fresh)),
          concerns(arg.id),
        ),
    },
    listAccessRequests: {
      providesTags: ['AccessRequest'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listAccessRequests.initiate(arg, fresh)),
          concerns(arg.id),
        ),
    },
  },
});
