import { fresh, inAccount, isAbout, keepLive } from './api.ts';
import type { ChangeEvent } from './changes.ts';
import { accessApi as generated } from './generated/access.ts';

const KINDS: readonly string[] = ['access', 'user', 'group'];
const concerns = (account: string | undefined) => (change: ChangeEvent) =>
  KINDS.includes(change.kind) && inAccount(account, change);

/** Grants, the access mode, and who reaches what, loaded with the screens that show them. */
export const accessApi = generated.enhanceEndpoints({
  endpoints: {
    setAccessMode: { invalidatesTags: ['Access'] },
    createGrant: { invalidatesTags: ['Access'] },
    updateGrant: { invalidatesTags: ['Access'] },
    deleteGrant: { invalidatesTags: ['Access'] },
    getAccess: {
      providesTags: ['Access'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(entry, () => entry.dispatch(generated.endpoints.getAccess.initiate(arg, fresh)), concerns(arg.id)),
    },
    listGrants: {
      providesTags: ['Access'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(entry, () => entry.dispatch(generated.endpoints.listGrants.initiate(arg, fresh)), concerns(arg.id)),
    },
    previewAccess: { keepUnusedDataFor: 0 },
    getDeviceAccess: {
      providesTags: ['Access'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getDeviceAccess.initiate(arg, fresh)),
          (change) => KINDS.includes(change.kind) || isAbout(change, 'device', arg.id),
        ),
    },
    getUserAccess: {
      providesTags: ['Access'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getUserAccess.initiate(arg, fresh)),
          (change) => KINDS.includes(change.kind),
        ),
    },
  },
});
