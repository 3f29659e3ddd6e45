import { api, fresh, inAccount, isChange, keepLive } from './api.ts';
import type { Account, Group, User } from './types.ts';

/** A role that a group can be made with. */
export type GroupRole = 'Admin' | 'Member';
type Status = 'Active' | 'Inactive';

/** Whom an invitation went to, and how far its e-mail has come (specification, section 3). */
export interface Invitation {
  id: string;
  user: string;
  invitedAt: string;
  expires?: string;
  account: { id: string; name: string };
  group?: { id: string; name: string; role: string };
  delivery?: 'Queued' | 'Sent' | 'Failing';
  delivery_problem?: string;
}

export interface GroupName {
  id: string;
  name: string;
  role: string;
  default: 'Yes' | 'No';
}

/** What the link of an invitation carries. */
export interface InvitationLink {
  email: string;
  account: string;
  token: string;
}

interface InvitationShown {
  email: string;
  account: { id: string; name: string };
  group?: { name: string };
  invited_by?: string;
}

interface InvitationsArg {
  page: number;
  limit: number;
  account?: string;
  group?: string;
}

interface SendInvitation {
  emails: string[];
  sender: string;
  groups: string[];
  account: string;
  account_name: string;
  single: boolean;
}

const put = (method: string, url: string, body?: unknown) => ({ url, method, ...(body === undefined ? {} : { body }) });
const part = encodeURIComponent;

/** The calls that change accounts, groups, users and invitations, loaded with the screens that use them. */
const calls = api.injectEndpoints({
  endpoints: (build) => ({
    createAccount: build.mutation<unknown, { name: string; identity: string }>({
      query: (body) => put('POST', '/api/accounts/new', body),
      invalidatesTags: ['Account'],
    }),
    assignOwner: build.mutation<unknown, { owner: string; account: string; sender: string; is_new: string }>({
      query: (body) => put('POST', '/api/accounts/assign', body),
      invalidatesTags: ['Account', 'User', 'Group', 'Invitation'],
    }),
    deleteAccount: build.mutation<unknown, string>({
      query: (id) => put('DELETE', `/api/accounts/${part(id)}`),
      invalidatesTags: ['Account', 'User', 'Group', 'Invitation'],
    }),
    setAccountStatus: build.mutation<unknown, { id: string; status: Status }>({
      query: ({ id, status }) => put('PATCH', `/api/accounts/${part(id)}/status/${status}`),
      invalidatesTags: ['Account', 'User'],
    }),
    getAccount: build.query<Account, string>({
      query: (id) => `/api/accounts/${part(id)}`,
      transformResponse: (answer: { result: Account }) => answer.result,
      providesTags: ['Account'],
    }),
    createGroup: build.mutation<unknown, { name: string; role: GroupRole; account: string; default: 'No' }>({
      query: (body) => put('POST', '/api/groups/new', body),
      invalidatesTags: ['Group'],
    }),
    getGroup: build.query<Group, string>({
      query: (id) => `/api/groups/${part(id)}`,
      transformResponse: (answer: { msg: Group }) => answer.msg,
      providesTags: ['Group'],
    }),
    deleteGroup: build.mutation<unknown, string>({
      query: (id) => put('DELETE', `/api/groups/${part(id)}`),
      invalidatesTags: ['Group', 'User', 'Invitation'],
    }),
    listGroupNames: build.query<GroupName[], string>({
      query: (account) => `/api/get_groups/${part(account)}`,
      transformResponse: (answer: { groups: GroupName[] }) => answer.groups,
      providesTags: ['Group'],
    }),
    getUser: build.query<User, string>({
      query: (id) => `/api/users/${part(id)}`,
      transformResponse: (answer: { result: User }) => answer.result,
      providesTags: ['User'],
    }),
    setUserStatus: build.mutation<unknown, { id: string; status: Status }>({
      query: ({ id, status }) => put('PATCH', `/api/users/${part(id)}`, { status }),
      invalidatesTags: ['User', 'Group', 'Account'],
    }),
    moveUser: build.mutation<unknown, { id: string; group: string; old_group: string; account: string }>({
      query: ({ id, ...body }) => put('PATCH', `/api/users/${part(id)}`, body),
      invalidatesTags: ['User', 'Group', 'Account'],
    }),
    deleteUser: build.mutation<unknown, string>({
      query: (id) => put('DELETE', `/api/users/${part(id)}`),
      invalidatesTags: ['User', 'Group', 'Account'],
    }),
    listInvitations: build.query<{ total: number; invitations: Invitation[] }, InvitationsArg>({
      query: (params) => ({ url: '/api/invitations', params }),
      providesTags: ['Invitation'],
    }),
    sendInvitation: build.mutation<unknown, SendInvitation>({
      query: (body) => put('POST', '/api/send_invitation', body),
      invalidatesTags: ['Invitation'],
    }),
    resendInvitation: build.mutation<unknown, string>({
      query: (id) => `/api/resend_invitation/${part(id)}`,
      invalidatesTags: ['Invitation'],
    }),
    cancelInvitation: build.mutation<unknown, { id: string; email: string }>({
      query: ({ id, email }) => put('DELETE', `/api/cancel_invitation/${part(id)}/${part(email)}`),
      invalidatesTags: ['Invitation', 'Account'],
    }),
    lookUpInvitation: build.query<InvitationShown, InvitationLink>({
      query: (params) => ({ url: '/api/invitation', params }),
    }),
    acceptInvitation: build.mutation<unknown, InvitationLink>({
      query: (body) => put('POST', '/api/accept_invitation', body),
      invalidatesTags: ['Session'],
    }),
    signUp: build.mutation<unknown, InvitationLink & { name: string }>({
      query: (body) => put('POST', '/api/signup', body),
    }),
    updateProfile: build.mutation<unknown, { name?: string; picture?: string }>({
      query: (body) => put('PATCH', '/api/profile', body),
      invalidatesTags: ['Session', 'User'],
    }),
  }),
});

/** The same calls, with what keeps their answers live. */
export const peopleApi = calls.enhanceEndpoints({
  endpoints: {
    getAccount: {
      onCacheEntryAdded: (id: string, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(calls.endpoints.getAccount.initiate(id, fresh)),
          (change) => change.kind === 'account' || change.kind === 'user',
        ),
    },
    getGroup: {
      onCacheEntryAdded: (id: string, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(calls.endpoints.getGroup.initiate(id, fresh)),
          (change) => change.kind === 'group' || change.kind === 'user',
        ),
    },
    getUser: {
      onCacheEntryAdded: (id: string, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(calls.endpoints.getUser.initiate(id, fresh)),
          (change) => isChange(change) && change.kind === 'user' && change.id === id,
        ),
    },
    listInvitations: {
      onCacheEntryAdded: (arg: InvitationsArg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(calls.endpoints.listInvitations.initiate(arg, fresh)),
          (change) => (change.kind === 'invitation' || change.kind === 'user') && inAccount(arg.account, change),
        ),
    },
  },
});
