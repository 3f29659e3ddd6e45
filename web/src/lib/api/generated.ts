import { baseApi as api } from './base';
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    lookUpInvitation: build.query<LookUpInvitationApiResponse, LookUpInvitationApiArg>({
      query: (queryArg) => ({
        url: `/api/invitation`,
        params: {
          email: queryArg.email,
          account: queryArg.account,
          token: queryArg.token,
        },
      }),
    }),
    signUp: build.mutation<SignUpApiResponse, SignUpApiArg>({
      query: (queryArg) => ({ url: `/api/signup`, method: 'POST', body: queryArg.signUp }),
    }),
    acceptInvitation: build.mutation<AcceptInvitationApiResponse, AcceptInvitationApiArg>({
      query: (queryArg) => ({ url: `/api/accept_invitation`, method: 'POST', body: queryArg.invitationLink }),
    }),
    listAccounts: build.query<ListAccountsApiResponse, ListAccountsApiArg>({
      query: (queryArg) => ({
        url: `/api/accounts`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          search: queryArg.search,
        },
      }),
    }),
    getAccount: build.query<GetAccountApiResponse, GetAccountApiArg>({
      query: (queryArg) => ({ url: `/api/accounts/${encodeURIComponent(String(queryArg.id))}` }),
    }),
    deleteAccount: build.mutation<DeleteAccountApiResponse, DeleteAccountApiArg>({
      query: (queryArg) => ({ url: `/api/accounts/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
    }),
    createAccount: build.mutation<CreateAccountApiResponse, CreateAccountApiArg>({
      query: (queryArg) => ({ url: `/api/accounts/new`, method: 'POST', body: queryArg.newAccount }),
    }),
    assignOwner: build.mutation<AssignOwnerApiResponse, AssignOwnerApiArg>({
      query: (queryArg) => ({ url: `/api/accounts/assign`, method: 'POST', body: queryArg.ownerAssignment }),
    }),
    setAccountStatus: build.mutation<SetAccountStatusApiResponse, SetAccountStatusApiArg>({
      query: (queryArg) => ({
        url: `/api/accounts/${encodeURIComponent(String(queryArg.id))}/status/${encodeURIComponent(String(queryArg.status))}`,
        method: 'PATCH',
      }),
    }),
    listDevices: build.query<ListDevicesApiResponse, ListDevicesApiArg>({
      query: (queryArg) => ({
        url: `/api/devices`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          search: queryArg.search,
          account: queryArg.account,
          sort: queryArg.sort,
          order: queryArg.order,
        },
      }),
    }),
    getDevice: build.query<GetDeviceApiResponse, GetDeviceApiArg>({
      query: (queryArg) => ({ url: `/api/devices/${encodeURIComponent(String(queryArg.id))}` }),
    }),
    createEnrolmentToken: build.mutation<CreateEnrolmentTokenApiResponse, CreateEnrolmentTokenApiArg>({
      query: (queryArg) => ({ url: `/api/enrolment_tokens`, method: 'POST', body: queryArg.enrolmentTokenRequest }),
    }),
    listGroups: build.query<ListGroupsApiResponse, ListGroupsApiArg>({
      query: (queryArg) => ({
        url: `/api/groups`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          search: queryArg.search,
          account: queryArg.account,
        },
      }),
    }),
    listGroupNames: build.query<ListGroupNamesApiResponse, ListGroupNamesApiArg>({
      query: (queryArg) => ({ url: `/api/get_groups/${encodeURIComponent(String(queryArg.account))}` }),
    }),
    createGroup: build.mutation<CreateGroupApiResponse, CreateGroupApiArg>({
      query: (queryArg) => ({ url: `/api/groups/new`, method: 'POST', body: queryArg.newGroup }),
    }),
    getGroup: build.query<GetGroupApiResponse, GetGroupApiArg>({
      query: (queryArg) => ({ url: `/api/groups/${encodeURIComponent(String(queryArg.id))}` }),
    }),
    deleteGroup: build.mutation<DeleteGroupApiResponse, DeleteGroupApiArg>({
      query: (queryArg) => ({ url: `/api/groups/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
    }),
    getHome: build.query<GetHomeApiResponse, GetHomeApiArg>({
      query: (queryArg) => ({
        url: `/api/home`,
        params: {
          account: queryArg.account,
        },
      }),
    }),
    listInvitations: build.query<ListInvitationsApiResponse, ListInvitationsApiArg>({
      query: (queryArg) => ({
        url: `/api/invitations`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          search: queryArg.search,
          account: queryArg.account,
          group: queryArg.group,
        },
      }),
    }),
    sendInvitation: build.mutation<SendInvitationApiResponse, SendInvitationApiArg>({
      query: (queryArg) => ({ url: `/api/send_invitation`, method: 'POST', body: queryArg.invitationRequest }),
    }),
    resendInvitation: build.mutation<ResendInvitationApiResponse, ResendInvitationApiArg>({
      query: (queryArg) => ({
        url: `/api/resend_invitation/${encodeURIComponent(String(queryArg.id))}`,
        method: 'GET',
      }),
    }),
    cancelInvitation: build.mutation<CancelInvitationApiResponse, CancelInvitationApiArg>({
      query: (queryArg) => ({
        url: `/api/cancel_invitation/${encodeURIComponent(String(queryArg.id))}/${encodeURIComponent(String(queryArg.email))}`,
        method: 'DELETE',
      }),
    }),
    updateProfile: build.mutation<UpdateProfileApiResponse, UpdateProfileApiArg>({
      query: (queryArg) => ({ url: `/api/profile`, method: 'PATCH', body: queryArg.profileChange }),
    }),
    getSocketToken: build.query<GetSocketTokenApiResponse, GetSocketTokenApiArg>({
      query: (queryArg) => ({
        url: `/api/get-socket-token/${encodeURIComponent(String(queryArg.id))}`,
        params: {
          purpose: queryArg.purpose,
        },
      }),
    }),
    listUsers: build.query<ListUsersApiResponse, ListUsersApiArg>({
      query: (queryArg) => ({
        url: `/api/users`,
        params: {
          page: queryArg.page,
          limit: queryArg.limit,
          search: queryArg.search,
          account: queryArg.account,
          group: queryArg.group,
        },
      }),
    }),
    getUser: build.query<GetUserApiResponse, GetUserApiArg>({
      query: (queryArg) => ({ url: `/api/users/${encodeURIComponent(String(queryArg.id))}` }),
    }),
    changeUser: build.mutation<ChangeUserApiResponse, ChangeUserApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PATCH',
        body: queryArg.userChange,
      }),
    }),
    deleteUser: build.mutation<DeleteUserApiResponse, DeleteUserApiArg>({
      query: (queryArg) => ({ url: `/api/users/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
    }),
    getWorkspace: build.query<GetWorkspaceApiResponse, GetWorkspaceApiArg>({
      query: () => ({ url: `/server/get_workspace` }),
    }),
    getSession: build.query<GetSessionApiResponse, GetSessionApiArg>({
      query: () => ({ url: `/auth/saml/getsession` }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedApi };
export type LookUpInvitationApiResponse = /** status 200 Tells what a link is an invitation to. */ InvitationShown;
export type LookUpInvitationApiArg = {
  email: string;
  /** UUID version 7. */
  account: string;
  token: string;
};
export type SignUpApiResponse =
  /** status 200 Keeps the name of an invited person, and that they agree to the terms. */ Done;
export type SignUpApiArg = {
  signUp: SignUp;
};
export type AcceptInvitationApiResponse =
  /** status 200 Makes the signed-in person a user of the account. */ InvitationAccepted;
export type AcceptInvitationApiArg = {
  invitationLink: InvitationLink;
};
export type ListAccountsApiResponse = /** status 200 Lists accounts, by name. */ AccountList;
export type ListAccountsApiArg = {
  /** Starts at 1. */
  page?: number;
  /** Entries on a page; more than 200 count as 200. */
  limit?: number;
  /** Ignored below 2 characters. */
  search?: string;
};
export type GetAccountApiResponse =
  /** status 200 Reads an account: any for operators, their own for others. */ AccountAnswer;
export type GetAccountApiArg = {
  /** UUID version 7. */
  id: string;
};
export type DeleteAccountApiResponse =
  /** status 200 Deletes an account with its users, groups, invitations and devices. There is no way back. */ Done;
export type DeleteAccountApiArg = {
  /** UUID version 7. */
  id: string;
};
export type CreateAccountApiResponse = /** status 201 Makes an account with its default groups. */ AccountMade;
export type CreateAccountApiArg = {
  newAccount: NewAccount;
};
export type AssignOwnerApiResponse = /** status 200 Makes somebody the owner of an account. */ OwnerAssigned;
export type AssignOwnerApiArg = {
  ownerAssignment: OwnerAssignment;
};
export type SetAccountStatusApiResponse = /** status 200 Disables or enables an account. */ Done;
export type SetAccountStatusApiArg = {
  /** UUID version 7. */
  id: string;
  status: 'Active' | 'Inactive';
};
export type ListDevicesApiResponse = /** status 200 Lists devices. */ DeviceList;
export type ListDevicesApiArg = {
  /** Starts at 1. */
  page?: number;
  /** Entries on a page; more than 200 count as 200. */
  limit?: number;
  /** Ignored below 2 characters. */
  search?: string;
  /** Id of an account. Empty or ALL: every account that you may see. */
  account?: string;
  /** By status, Connected comes first. */
  sort?: 'status' | 'name' | 'account';
  order?: 'asc' | 'desc';
};
export type GetDeviceApiResponse = /** status 200 Shows a device. */ DeviceResult;
export type GetDeviceApiArg = {
  /** UUID version 7. */
  id: string;
};
export type CreateEnrolmentTokenApiResponse =
  /** status 201 Makes a token that enrols devices, and the command that uses it. */ EnrolmentToken;
export type CreateEnrolmentTokenApiArg = {
  enrolmentTokenRequest: EnrolmentTokenRequest;
};
export type ListGroupsApiResponse = /** status 200 Lists groups. */ GroupList;
export type ListGroupsApiArg = {
  /** Starts at 1. */
  page?: number;
  /** Entries on a page; more than 200 count as 200. */
  limit?: number;
  /** Ignored below 2 characters. */
  search?: string;
  /** Id of an account. Empty or ALL: every account that you may see. */
  account?: string;
};
export type ListGroupNamesApiResponse = /** status 200 Names every group of an account, for choosing. */ GroupNames;
export type ListGroupNamesApiArg = {
  /** UUID version 7. */
  account: string;
};
export type CreateGroupApiResponse = /** status 201 Makes a group. */ GroupMade;
export type CreateGroupApiArg = {
  newGroup: NewGroup;
};
export type GetGroupApiResponse = /** status 200 Reads a group. */ GroupAnswer;
export type GetGroupApiArg = {
  /** UUID version 7. */
  id: string;
};
export type DeleteGroupApiResponse = /** status 200 Deletes a group. */ GroupDeleted;
export type DeleteGroupApiArg = {
  /** UUID version 7. */
  id: string;
};
export type GetHomeApiResponse = /** status 200 Counts the devices that you may see. */ Home;
export type GetHomeApiArg = {
  /** Id of an account. Empty or ALL: every account that you may see. */
  account?: string;
};
export type ListInvitationsApiResponse = /** status 200 Lists pending invitations, the newest first. */ InvitationList;
export type ListInvitationsApiArg = {
  /** Starts at 1. */
  page?: number;
  /** Entries on a page; more than 200 count as 200. */
  limit?: number;
  /** Ignored below 2 characters. */
  search?: string;
  /** Id of an account. Empty or ALL: every account that you may see. */
  account?: string;
  /** Id of a group. Empty: all of them. */
  group?: string;
};
export type SendInvitationApiResponse = /** status 200 Invites people into a group. */ InvitationsSent;
export type SendInvitationApiArg = {
  invitationRequest: InvitationRequest;
};
export type ResendInvitationApiResponse = /** status 200 Sends an invitation again. */ InvitationResent;
export type ResendInvitationApiArg = {
  /** UUID version 7. */
  id: string;
};
export type CancelInvitationApiResponse = /** status 200 Takes an invitation back. */ Done;
export type CancelInvitationApiArg = {
  /** UUID version 7. */
  id: string;
  email: string;
};
export type UpdateProfileApiResponse = /** status 200 Changes your own name or picture. */ ProfileAnswer;
export type UpdateProfileApiArg = {
  profileChange: ProfileChange;
};
export type GetSocketTokenApiResponse =
  /** status 200 Makes a one-time token that opens a session on a device. */ SocketToken;
export type GetSocketTokenApiArg = {
  /** UUID version 7. */
  id: string;
  /** What the token opens. */
  purpose?: 'terminal' | 'desktop' | 'logs';
};
export type ListUsersApiResponse = /** status 200 Lists users. */ UserList;
export type ListUsersApiArg = {
  /** Starts at 1. */
  page?: number;
  /** Entries on a page; more than 200 count as 200. */
  limit?: number;
  /** Ignored below 2 characters. */
  search?: string;
  /** Id of an account. Empty or ALL: every account that you may see. */
  account?: string;
  /** Id of a group. Empty: all of them. */
  group?: string;
};
export type GetUserApiResponse = /** status 200 Reads a user. */ UserAnswer;
export type GetUserApiArg = {
  /** UUID version 7. */
  id: string;
};
export type ChangeUserApiResponse = /** status 200 Disables or enables a user, or moves one to another group. */ Done;
export type ChangeUserApiArg = {
  /** UUID version 7. */
  id: string;
  userChange: UserChange;
};
export type DeleteUserApiResponse = /** status 200 Deletes a user. */ Done;
export type DeleteUserApiArg = {
  /** UUID version 7. */
  id: string;
};
export type GetWorkspaceApiResponse = /** status 200 Describes this installation. */ Workspace;
export type GetWorkspaceApiArg = void;
export type GetSessionApiResponse = /** status 200 Tells who is signed in, also without an account. */ Session;
export type GetSessionApiArg = void;
export type InvitationShown = {
  email: string;
  account: {
    /** UUID version 7. */
    id: string;
    name: string;
  };
  group: {
    /** UUID version 7. */
    id: string;
    name: string;
    /** Empty: no role. */
    role: 'SuperAdmin' | 'Owner' | 'Admin' | 'Member' | '';
  };
  /** Name or e-mail; empty when nobody is known. */
  invited_by: string;
  /** What the person said at sign-up; empty until then. */
  name: string;
  expires: string;
};
export type ErrorAnswer = {
  statusCode: number;
  /** What clients decide by, such as not_found or permission_denied. */
  code: string;
  /** For people; reads `prefix: text`. */
  message: string;
  /** The fields that were wrong. */
  errors?: {
    field: string;
    message: string;
  }[];
};
export type Done = {
  /** For people. */
  msg: string;
};
export type SignUp = {
  email: string;
  /** UUID version 7. */
  account: string;
  token: string;
  name: string;
};
export type InvitationAccepted = {
  msg: string;
  /** UUID version 7. */
  user: string;
  /** UUID version 7. */
  account: string;
};
export type InvitationLink = {
  email: string;
  /** UUID version 7. */
  account: string;
  token: string;
};
export type Account = {
  /** UUID version 7. */
  _id: string;
  /** UUID version 7. */
  id: string;
  name: string;
  created: string;
  status: 'Active' | 'Inactive';
  /** Null: the account has no owner. */
  owner: {
    name: string;
    email: string;
    picture: string;
    /** No: the invitation is pending. */
    signup_status: 'Yes' | 'No';
  } | null;
  /** True for the account of those who run this hub. */
  operator: boolean;
};
export type AccountList = {
  total: number;
  accounts: Account[];
};
export type AccountAnswer = {
  result: Account;
};
export type AccountMade = {
  msg: string;
  account: Account;
};
export type NewAccount = {
  /** Letters, digits and spaces. */
  name: string;
  /** Your own id or e-mail, if given at all: the session decides who acts. */
  identity?: string;
};
export type OwnerAssigned = {
  msg: string;
  /** True: nobody has that e-mail, so an invitation is on its way. */
  invited: boolean;
};
export type OwnerAssignment = {
  /** E-mail of the owner to be. */
  owner: string;
  /** UUID version 7. */
  account: string;
  /** Your own id or e-mail, if given at all: the session decides who acts. */
  sender?: string;
  /** `new`: the account has no owner yet; refused when it has one by now. Anything else changes the owner. */
  is_new?: string;
};
export type Device = {
  /** UUID version 7. */
  _id: string;
  /** UUID version 7. */
  id: string;
  serial: string;
  /** What the device calls itself. */
  name: string;
  /** What people call it; its own name if they gave none. */
  custom_name: string;
  account: {
    /** UUID version 7. */
    id: string;
    name: string;
  };
  status: 'Connected' | 'Disconnected';
  /** Since when the status is what it is. */
  status_since: string;
  /** Whether its console may be opened. */
  ssh_enable: 'Yes' | 'No';
  /** Whether its web page may be opened. */
  http_enable: 'Yes' | 'No';
  /** The port of its web page, on the device. */
  http_port: number;
  /** Its address there: loopback, or the private address of the device. */
  http_ip: string;
  /** Where on the device its VNC server is, which shows its desktop. */
  vnc_ip: string;
  vnc_port: number;
  /** Host name of its web page, without a scheme. */
  http_address: string;
  private_ip: string;
  public_ip: string;
  cpu_cores: number;
  /** Percent of all cores, 0 to 100. */
  cpu_usage: number;
  /** Bytes. */
  total_ram: number;
  /** Bytes. */
  used_ram: number;
  /** Bytes. */
  total_disk: number;
  /** Bytes. */
  used_disk: number;
  os: string;
  kernel: string;
  model: string;
  /** Seconds since it started. */
  uptime: number;
  agent_version: string;
  /** When the device last reported its facts; null: never. */
  facts_at: string | null;
  created: string;
};
export type DeviceList = {
  /** Devices on all pages. */
  total: number;
  devices: Device[];
};
export type DeviceResult = {
  result: Device;
};
export type EnrolmentToken = {
  token: string;
  expires: string;
  /** The line to run on a device. */
  command: string;
};
export type EnrolmentTokenRequest = {
  /** The account that the devices will belong to. */
  account: string;
  /** How many devices may enrol with it. */
  devices?: number;
};
export type Group = {
  /** UUID version 7. */
  _id: string;
  /** UUID version 7. */
  id: string;
  name: string;
  /** Id of its account, as account_id. */
  account: string;
  /** UUID version 7. */
  account_id: string;
  account_name: string;
  /** Empty: no role. */
  role: 'SuperAdmin' | 'Owner' | 'Admin' | 'Member' | '';
  user_count: number;
  /** Yes: every account has it, and it cannot be deleted. */
  default: 'Yes' | 'No';
};
export type GroupList = {
  total: number;
  groups: Group[];
};
export type GroupName = {
  /** UUID version 7. */
  _id: string;
  /** UUID version 7. */
  id: string;
  name: string;
  /** Empty: no role. */
  role: 'SuperAdmin' | 'Owner' | 'Admin' | 'Member' | '';
  default: 'Yes' | 'No';
};
export type GroupNames = {
  groups: GroupName[];
};
export type GroupMade = {
  msg: string;
  group: Group;
};
export type NewGroup = {
  /** Letters, digits and spaces. */
  name: string;
  /** Admin: can invite more people. Member: can access all devices. */
  role: 'Admin' | 'Member';
  /** The account that the group will belong to. */
  account: string;
  /** Default groups come with their account only. */
  default?: 'No';
};
export type GroupAnswer = {
  /** The group. */
  msg: Group;
};
export type GroupDeleted = {
  msg: string;
  /** Name of the group that its users and pending invitations are in now. */
  moved_to: string;
  moved_users: number;
};
export type Home = {
  devices: {
    total: number;
    connected: number;
  };
};
export type Invitation = {
  /** UUID version 7. */
  _id: string;
  /** UUID version 7. */
  id: string;
  /** The e-mail that is invited. */
  user: string;
  invitedAt: string;
  /** When its link stops working. */
  expires: string;
  account: {
    /** UUID version 7. */
    id: string;
    name: string;
  };
  group: {
    /** UUID version 7. */
    id: string;
    name: string;
    /** Empty: no role. */
    role: 'SuperAdmin' | 'Owner' | 'Admin' | 'Member' | '';
  };
  /** How far the mail is. Failing: the mail server did not take it, and it is tried again. */
  delivery: 'Queued' | 'Sent' | 'Failing';
  /** Why the mail is not out; empty unless it is failing. */
  delivery_problem: string;
};
export type InvitationList = {
  total: number;
  invitations: Invitation[];
};
export type InvitationsSent = {
  msg: string;
  invitations: Invitation[];
};
export type InvitationRequest = {
  emails: string[];
  /** Your own id or e-mail, if given at all: the session decides who acts. */
  sender?: string;
  /** Ids or names. The person joins the one with the widest role, the first on a tie. */
  groups: string[];
  /** UUID version 7. */
  account: string;
  /** Not used: the account decides. */
  account_name?: string;
  /** Not used: the groups decide. */
  single?: boolean | string;
};
export type InvitationResent = {
  msg: string;
  invitation: Invitation;
};
export type User = {
  /** UUID version 7. */
  _id: string;
  /** UUID version 7. */
  id: string;
  name: string;
  email: string;
  picture: string;
  /** Id of the account. */
  account: string;
  account_name: string;
  status: 'Active' | 'Inactive';
  group: {
    id: string;
    /** Empty: no role. */
    role: 'SuperAdmin' | 'Owner' | 'Admin' | 'Member' | '';
    name: string;
  };
};
export type ProfileAnswer = {
  msg: string;
  result: User;
};
export type ProfileChange = {
  name?: string;
  /** A data URL: PNG, JPEG or WebP, base64, 1 MiB at most. Empty: no picture any more. */
  picture?: string;
};
export type SocketToken = {
  device_name: string;
  /** The agent's connection; empty while the device is offline. */
  device_sid: string;
  /** You: the `UserID` of the socket. */
  user_id: string;
  /** Bytes. */
  disk_usage: number;
  /** Bytes. */
  disk_total: number;
  /** Cores. */
  cpu_total: number;
  /** Percent of all cores, 0 to 100. */
  cpu_usage: number;
  /** Bytes. */
  ram_total: number;
  /** Bytes. */
  ram_usage: number;
  http_enable: 'Yes' | 'No';
  http_port: number;
  http_address: string;
  /** Works once, within 60 seconds, for you, this device and this purpose. */
  token: string;
};
export type UserList = {
  total: number;
  users: User[];
};
export type UserAnswer = {
  result: User;
};
export type UserChange = {
  status?: 'Active' | 'Inactive';
  /** The group to move to. */
  group?: string;
  /** The group that you saw the user in; 409 when it is another by now. */
  old_group?: string;
  /** The account of the user. */
  account?: string;
};
export type Workspace = {
  product: string;
  version: string;
  /** The public origin of this hub. */
  hub_url: string;
  /** The web pages of devices are at `{slug}.{device_domain}`. */
  device_domain: string;
  /** UUID version 7. */
  operator_account_id: string;
  operator_account_name: string;
  /** What this version can open on a device. */
  features: {
    terminal: boolean;
    desktop: boolean;
    web: boolean;
  };
};
export type Session = {
  /** Id of the user; empty for somebody without an account. */
  user: string;
  name: string;
  email: string;
  picture: string;
  /** Id of the account; empty for somebody without one. */
  account: string;
  account_name: string;
  /** Inactive also when the account is. */
  status: 'Active' | 'Inactive';
  /** Yes: an invitation waits. */
  need_accept: 'Yes' | 'No';
  /** Empty: the token is in the link of the invitation and stored hashed only. */
  accept_token: string;
  /** Id of the account that the invitation is for. */
  invitation_account: string;
  group: {
    id: string;
    /** Empty: no role. */
    role: 'SuperAdmin' | 'Owner' | 'Admin' | 'Member' | '';
  };
  /** True for users of the operator account, who see all accounts. */
  operator: boolean;
  /** What the user may do somewhere. */
  permissions: string[];
  /** Sees the settings. */
  settings: boolean;
  /** Sees the WebSSH item. */
  webssh: boolean;
};
export const {
  useLookUpInvitationQuery,
  useSignUpMutation,
  useAcceptInvitationMutation,
  useListAccountsQuery,
  useGetAccountQuery,
  useDeleteAccountMutation,
  useCreateAccountMutation,
  useAssignOwnerMutation,
  useSetAccountStatusMutation,
  useListDevicesQuery,
  useGetDeviceQuery,
  useCreateEnrolmentTokenMutation,
  useListGroupsQuery,
  useListGroupNamesQuery,
  useCreateGroupMutation,
  useGetGroupQuery,
  useDeleteGroupMutation,
  useGetHomeQuery,
  useListInvitationsQuery,
  useSendInvitationMutation,
  useResendInvitationMutation,
  useCancelInvitationMutation,
  useUpdateProfileMutation,
  useGetSocketTokenQuery,
  useListUsersQuery,
  useGetUserQuery,
  useChangeUserMutation,
  useDeleteUserMutation,
  useGetWorkspaceQuery,
  useGetSessionQuery,
} = injectedRtkApi;
