import type { Action } from '@warren/platform/policy/policy';

/** What an operation needs of the API token that it is called with. The role of its owner has to allow it as well. */
export interface TokenRule {
  /** All of these permissions. */
  permissions: readonly Action[];
  /**
   * How a token that is limited to some devices may call it: `listed` answers about those alone, `named` names one by the `id` of its
   * path. Without it not at all: the operation is about more than devices, or does not look at the filter.
   */
  devices?: 'listed' | 'named';
  /** What holds besides, such as what its content needs. The service that does it decides. */
  besides?: string;
}

const needs = (...permissions: Action[]): TokenRule => ({ permissions });
const NOTHING: TokenRule = { ...needs(), devices: 'listed' };
const READ = needs('devices.read');
const READ_LISTED: TokenRule = { ...READ, devices: 'listed' };
const READ_NAMED: TokenRule = { ...READ, devices: 'named' };
const OPEN: TokenRule = { ...needs('devices.read', 'devices.open'), devices: 'named' };
const MANAGE = needs('devices.read', 'devices.manage');
const LABEL = needs('devices.read', 'devices.label');
const ENROL = needs('devices.enrol');
const ALERTS = needs('devices.read', 'alerts.manage');
const CHANNELS = needs('channels.manage');
const UPDATES = needs('updates.manage');
const ACCOUNTS = needs('accounts.manage');
const GROUPS = needs('groups.list');
const USERS = needs('users.list');
const GRANTS = needs('grants.read');
const CHANGE_GRANTS = needs('grants.read', 'grants.manage');
const AUDIT = needs('audit.read');
const AUDIT_SETTINGS = needs('audit.manage');
const RECORDINGS = needs('recordings.view');
const MANAGE_RECORDINGS = needs('recordings.view', 'recordings.manage');
const INVITATIONS = needs('invitations.manage');
const OF_JOB = 'the permission of the action: `devices.manage`, or `updates.manage` for an update';
const PROGRAMS = needs('service-accounts.read', 'service-accounts.manage');
const OF_ROLE = 'every permission of the new role, if the role changes';
const OF_FILTER = '`devices.label` for a filter that an account shares';

/** The operations that a token may call, by their ids in the OpenAPI document. */
export const TOKEN_RULES: Readonly<Record<string, TokenRule>> = {
  getSession: NOTHING,
  getWorkspace: NOTHING,
  streamEvents: { permissions: [], besides: 'the permission to read what changes; other changes are left out' },

  listDevices: READ_LISTED,
  getHome: READ_LISTED,
  getOverview: READ_LISTED,
  getDevice: READ_NAMED,
  getDevicePresence: READ_NAMED,
  getDeviceMetrics: READ_NAMED,
  listDeviceEvents: READ_NAMED,
  getDeviceBySerial: READ_LISTED,
  getDeviceByAddress: READ_LISTED,
  getSparklines: READ,
  listActivity: READ,
  getDeviceTrend: READ,
  listLabels: READ,
  getSocketToken: OPEN,
  generateToken: OPEN,
  getDeviceInfo: OPEN,
  makeWebAddress: OPEN,
  getRoundTrip: OPEN,
  listTerminals: OPEN,
  endTerminal: OPEN,
  changeTerminal: OPEN,
  listGuestLinks: OPEN,
  endGuestLink: OPEN,
  setDeviceService: MANAGE,
  enableDeviceHttp: MANAGE,
  setDeviceVnc: MANAGE,
  changeDeviceHostname: MANAGE,
  changeDeviceAccount: MANAGE,
  rebootDevice: MANAGE,
  rotateDeviceKey: MANAGE,
  deleteDevice: MANAGE,
  labelDevices: LABEL,
  setDeviceNotes: LABEL,
  replaceDevice: ENROL,
  decideMachine: ENROL,
  createEnrolmentToken: ENROL,
  revokeEnrolmentToken: ENROL,

  listBulkJobs: READ,
  getBulkJob: READ,
  startBulkJob: { ...READ, besides: OF_JOB },
  cancelBulkJob: { ...READ, besides: OF_JOB },

  listSavedFilters: READ,
  saveFilter: { ...READ, besides: OF_FILTER },
  replaceFilter: { ...READ, besides: OF_FILTER },
  deleteFilter: { ...READ, besides: OF_FILTER },

  listAlerts: READ,
  getAlertCounts: READ,
  getAlertTrend: READ,
  listAlertRules: READ,
  listAlertSilences: READ,
  previewAlertRule: READ,
  acknowledgeAlerts: needs('devices.read', 'alerts.acknowledge'),
  createAlertRule: ALERTS,
  changeAlertRule: ALERTS,
  deleteAlertRule: ALERTS,
  createAlertSilence: ALERTS,
  deleteAlertSilence: ALERTS,
  listChannels: CHANNELS,
  createChannel: CHANNELS,
  updateChannel: CHANNELS,
  deleteChannel: CHANNELS,
  testChannel: CHANNELS,
  rotateChannelSecret: CHANNELS,
  listNotifications: CHANNELS,
  retryNotification: CHANNELS,

  listReleases: UPDATES,
  listAgentVersions: READ,
  listRollouts: UPDATES,
  startRollout: UPDATES,
  setRolloutShare: UPDATES,
  changeRollout: UPDATES,
  listRolloutDevices: UPDATES,
  retryRolloutDevice: UPDATES,
  getUpdateWindow: needs('accounts.read'),
  setUpdateWindow: needs('updates.schedule'),

  listAccounts: needs('accounts.select'),
  getAccount: needs('accounts.read'),
  createAccount: ACCOUNTS,
  assignOwner: ACCOUNTS,
  setAccountStatus: ACCOUNTS,
  deleteAccount: ACCOUNTS,
  getQuotas: needs('quotas.read'),
  setQuotas: needs('quotas.manage'),
  getAccountUsage: needs('usage.read'),
  listUsage: needs('usage.list-all'),
  exportUsage: needs('usage.list-all'),

  listGroups: GROUPS,
  listGroupNames: GROUPS,
  getGroup: GROUPS,
  createGroup: needs('groups.manage'),
  deleteGroup: needs('groups.manage'),
  listUsers: USERS,
  exportUsers: USERS,
  getUser: USERS,
  changeUser: needs('users.manage'),
  deleteUser: needs('users.manage'),
  resetSignIn: needs('users.reset-sign-in'),
  listInvitations: needs('invitations.list'),
  sendInvitation: INVITATIONS,
  resendInvitation: INVITATIONS,
  cancelInvitation: INVITATIONS,
  getPicture: needs('accounts.read'),
  updateProfile: needs('profile.manage'),
  listOwnTokens: { ...NOTHING, besides: 'it lists only itself' },
  revokeOwnToken: { ...NOTHING, besides: 'it revokes only itself' },
  listTokens: needs('tokens.manage'),
  revokeToken: needs('tokens.manage'),
  listScimTokens: needs('scim.manage'),
  revokeScimToken: needs('scim.manage'),
  listDomains: needs('domains.manage'),
  claimDomain: needs('domains.manage'),
  checkDomain: needs('domains.manage'),
  confirmDomain: needs('domains.confirm'),
  removeDomain: needs('domains.manage'),
  listGroupRules: needs('group-rules.manage'),
  setGroupRules: needs('group-rules.manage'),

  getAccess: GRANTS,
  previewAccess: GRANTS,
  listGrants: GRANTS,
  getDeviceAccess: GRANTS,
  getUserAccess: GRANTS,
  setAccessMode: CHANGE_GRANTS,
  createGrant: CHANGE_GRANTS,
  updateGrant: CHANGE_GRANTS,
  deleteGrant: CHANGE_GRANTS,

  getAccessRules: needs('accounts.read'),
  setAccessRules: CHANGE_GRANTS,
  listAccessRequests: needs('accounts.read', 'requests.create'),
  createAccessRequest: needs('devices.read', 'requests.create'),
  withdrawAccessRequest: needs('requests.create'),
  listServiceAccounts: needs('service-accounts.read'),
  createServiceAccount: { ...PROGRAMS, besides: OF_ROLE },
  updateServiceAccount: { ...PROGRAMS, besides: OF_ROLE },
  createServiceAccountToken: { ...PROGRAMS, besides: 'every permission of the new token, which must not outlast it' },
  deleteServiceAccount: PROGRAMS,

  listAuditEvents: AUDIT,
  getAuditEvent: AUDIT,
  exportAuditEvents: AUDIT,
  listAuditStreams: AUDIT_SETTINGS,
  createAuditStream: AUDIT_SETTINGS,
  updateAuditStream: AUDIT_SETTINGS,
  deleteAuditStream: AUDIT_SETTINGS,
  testAuditStream: AUDIT_SETTINGS,
  rotateAuditStreamSecret: AUDIT_SETTINGS,
  getAuditRetention: AUDIT,
  setAuditRetention: AUDIT_SETTINGS,
  listRecordings: RECORDINGS,
  getRecording: RECORDINGS,
  listRecordingChunks: RECORDINGS,
  getRecordingChunk: RECORDINGS,
  getRecordingSnapshot: RECORDINGS,
  searchRecordings: RECORDINGS,
  exportRecording: needs('recordings.view', 'recordings.export'),
  holdRecording: MANAGE_RECORDINGS,
  deleteRecording: MANAGE_RECORDINGS,
  getRecordingSettings: RECORDINGS,
  setRecordingSettings: MANAGE_RECORDINGS,
  listSignInFailures: needs('sign-ins.diagnose'),
};

const SESSIONS = 'a token has no browser session, and one that leaks must sign nobody out';
const OWN_TOKENS = 'tokens can’t create personal tokens; use a service account';
const GUESTS = 'only people can invite guests, and the link would outlive a revoked token';
const JOINING = 'joining an account is a decision of the person';
const DECISION = 'a decision about an access request needs a recent sign-in';
const OTHER_CREDENTIAL = 'it needs no session: its link, token or key authorises it';

/** The operations that no token calls, and why. Sign-in and sign-out are no operations of the document, and belong here too. */
export const WITHOUT_TOKEN: Readonly<Record<string, string>> = {
  trySignIn: 'the person tries it in a browser, at the provider',
  listSessions: SESSIONS,
  endSession: SESSIONS,
  endOtherSessions: SESSIONS,
  createToken: OWN_TOKENS,
  createScimToken: 'a SCIM token isn’t limited to the permissions of the token that would create it',
  approveAccessRequest: DECISION,
  denyAccessRequest: DECISION,
  createGuestLink: GUESTS,
  getGuestSession: OTHER_CREDENTIAL,
  makeGuestSocketToken: OTHER_CREDENTIAL,
  makeGuestWebAddress: OTHER_CREDENTIAL,
  lookUpGuestLink: OTHER_CREDENTIAL,
  redeemGuestLink: OTHER_CREDENTIAL,
  listMyInvitations: JOINING,
  acceptInvitation: JOINING,
  lookUpInvitation: OTHER_CREDENTIAL,
  signUp: OTHER_CREDENTIAL,
  enrol: OTHER_CREDENTIAL,
  rotateKey: OTHER_CREDENTIAL,
  separateMachine: OTHER_CREDENTIAL,
};

/** Pages of the API's description are no operations, and need no permission. */
export const DESCRIPTION_HANDLERS: readonly string[] = ['getDocument', 'getPage', 'getStart', 'getAsset'];
