import { fresh, inAccount, isAbout, keepLive, listOf } from './api.ts';
import { peopleApi as generated } from './generated/people.ts';
import { deleting, isGone } from './gone.ts';

/**
 * The calls about accounts, groups, users and invitations, with what each changes and what refreshes its answer. Loaded with the
 * screens that import hooks from here.
 */
export const peopleApi = generated.enhanceEndpoints({
  endpoints: {
    createAccount: { invalidatesTags: ['Account'] },
    assignOwner: { invalidatesTags: ['Account', 'User', 'Group', 'Invitation'] },
    deleteAccount: {
      invalidatesTags: [...listOf('Account'), 'User', 'Group', 'Invitation'],
      onQueryStarted: deleting,
    },
    setAccountStatus: { invalidatesTags: ['Account', 'User'] },
    getAccount: {
      providesTags: (_answer, _error, { id }) => [{ type: 'Account', id }],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getAccount.initiate(arg, fresh)),
          (change) => (change.kind === 'account' || change.kind === 'user') && !isGone(arg.id),
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
    resetSignIn: { invalidatesTags: ['User'] },
    deleteUser: { invalidatesTags: [...listOf('User'), 'Group', 'Account'], onQueryStarted: deleting },
    getUser: {
      providesTags: (_answer, _error, { id }) => [{ type: 'User', id }],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getUser.initiate(arg, fresh)),
          (change) => isAbout(change, 'user', arg.id),
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
