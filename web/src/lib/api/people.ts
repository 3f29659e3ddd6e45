import { fresh, inAccount, isChange, keepLive } from './api.ts';
import { peopleApi as generated } from './generated/people.ts';

/**
 * The calls of accounts, groups, users and invitations, with what each changes and what keeps its answer live: loaded with the
 * screens that use them, which take their hooks from here.
 */
export const peopleApi = generated.enhanceEndpoints({
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
          () => entry.dispatch(generated.endpoints.getAccount.initiate(arg, fresh)),
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
          () => entry.dispatch(generated.endpoints.getGroup.initiate(arg, fresh)),
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
          () => entry.dispatch(generated.endpoints.getUser.initiate(arg, fresh)),
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
          () => entry.dispatch(generated.endpoints.listInvitations.initiate(arg, fresh)),
          (change) => (change.kind === 'invitation' || change.kind === 'user') && inAccount(arg.account, change),
        ),
    },
    updateProfile: { invalidatesTags: ['Session', 'User'] },
  },
});
