import { api, fresh, inAccount, isChange, keepLive } from './api.ts';

/**
 * The calls of accounts, groups, users and invitations, with what each changes and what keeps its answer live: loaded with the
 * screens that use them, which take their hooks from here.
 */
export const peopleApi = api.enhanceEndpoints({
  endpoints: {
    createAccount: { invalidatesTags: ['Account'] },
    assignOwner: { invalidatesTags: ['Account', 'User', 'Group', 'Invitation'] },
    deleteAccount: { invalidatesTags: ['Account', 'User', 'Group', 'Invitation'] },
    setAccountStatus: { invalidatesTags: ['Account', 'User'] },
    getAccount: {
      providesTags: ['Account'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(api.endpoints.getAccount.initiate(arg, fresh)),
          (change) => change.kind === 'account' || change.kind === 'user',
        ),
    },
    createGroup: { invalidatesTags: ['Group'] },
    deleteGroup: { invalidatesTags: ['Group', 'User', 'Invitation'] },
    listGroupNames: { providesTags: ['Group'] },
    getGroup: {
      providesTags: ['Group'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(api.endpoints.getGroup.initiate(arg, fresh)),
          (change) => change.kind === 'group' || change.kind === 'user',
        ),
    },
    changeUser: { invalidatesTags: ['User', 'Group', 'Account'] },
    deleteUser: { invalidatesTags: ['User', 'Group', 'Account'] },
    getUser: {
      providesTags: ['User'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(api.endpoints.getUser.initiate(arg, fresh)),
          (change) => isChange(change) && change.kind === 'user' && change.id === arg.id,
        ),
    },
    sendInvitation: { invalidatesTags: ['Invitation'] },
    resendInvitation: { invalidatesTags: ['Invitation'] },
    cancelInvitation: { invalidatesTags: ['Invitation', 'Account'] },
    acceptInvitation: { invalidatesTags: ['Session'] },
    listInvitations: {
      providesTags: ['Invitation'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(api.endpoints.listInvitations.initiate(arg, fresh)),
          (change) => (change.kind === 'invitation' || change.kind === 'user') && inAccount(arg.account, change),
        ),
    },
    updateProfile: { invalidatesTags: ['Session', 'User'] },
  },
});
