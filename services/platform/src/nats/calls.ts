import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { BulkService } from '@warren/proto/devices/v1/bulk';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { SavedFiltersService } from '@warren/proto/devices/v1/filters';
import { MatchingService } from '@warren/proto/devices/v1/matching';
import { RolloutsService } from '@warren/proto/devices/v1/rollouts';
import { AuditService } from '@warren/proto/audit/v1/audit';
import { RecordingsService } from '@warren/proto/audit/v1/recordings';
import { AlertsService } from '@warren/proto/fleet/v1/alerts';
import { MetricsService } from '@warren/proto/fleet/v1/metrics';
import { NotificationsService } from '@warren/proto/fleet/v1/notifications';
import { GuestLinksService } from '@warren/proto/identity/v1/guests';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { AccessService } from '@warren/proto/tenancy/v1/access';
import { DomainsService } from '@warren/proto/tenancy/v1/domains';
import { GroupRulesService } from '@warren/proto/tenancy/v1/group_rules';
import { InvitationsService } from '@warren/proto/tenancy/v1/invitations';
import { AccessRequestsService } from '@warren/proto/tenancy/v1/requests';
import { ServiceAccountsService } from '@warren/proto/tenancy/v1/service_accounts';
import { ScimService } from '@warren/proto/tenancy/v1/scim';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { UsageService } from '@warren/proto/tenancy/v1/usage';
import { UsersService } from '@warren/proto/tenancy/v1/users';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { methods } from './methods.ts';
import { RECORDING_CALLS } from './recording.calls.ts';

export const SERVICE_NAMES = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'tunnels', 'audit'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Read-only user that inspects a running installation: the doctor. */
export const OBSERVER = 'doctor';

/** The inbox of a service's calls. */
export function inboxOf(service: string): string {
  return `_INBOX_${service}`;
}

/**
 * Which service calls which methods. The message bus and every callee refuse all others, so a new method is named here by
 * each of its callers.
 */
export const CALLS: Readonly<Record<ServiceName, readonly DescMethod[]>> = {
  gateway: [
    ...methods(
      IdentityService,
      'saveSamlRequest',
      'getSamlRequest',
      'removeSamlRequest',
      'signIn',
      'reportRefusedSignIn',
      'listRefusedSignIns',
      'getSession',
      'countSessions',
      'listOwnSessions',
      'endOwnSessions',
      'signOut',
      'endSessions',
      'createSocketToken',
      // By gateways of 0.1 during an upgrade.
      'peekSocketToken',
    ),
    ...methods(TokensService, 'verifyToken', 'createToken', 'listOwnTokens', 'listTokens', 'revokeToken'),
    ...methods(TokensService, 'createServiceAccountToken'),
    ...methods(
      GuestLinksService,
      'createGuestLink',
      'listGuestLinks',
      'endGuestLink',
      'lookUpGuestLink',
      'redeemGuestLink',
      'verifyGuest',
      'withdrawGuestLink',
    ),
    ...methods(
      ServiceAccountsService,
      'listServiceAccounts',
      'getServiceAccount',
      'createServiceAccount',
      'updateServiceAccount',
      'deleteServiceAccount',
    ),
    ...methods(
      TenancyService,
      'resolveMember',
      'listAccounts',
      'getAccount',
      'listGroups',
      'listUsers',
      'getWorkspace',
      'createAccount',
      'assignOwner',
      'setAccountStatus',
      'deleteAccount',
      'createGroup',
      'getGroup',
      'deleteGroup',
      'listGroupNames',
      'getQuotas',
      'setQuotas',
    ),
    ...methods(
      InvitationsService,
      'listInvitations',
      'listInvitationsOf',
      'sendInvitations',
      'resendInvitation',
      'cancelInvitation',
      'lookUpInvitation',
      'signUp',
      'acceptInvitation',
    ),
    ...methods(
      UsersService,
      'getUser',
      'setUserStatus',
      'moveUser',
      'deleteUser',
      'resetSignIn',
      'updateProfile',
      'getPicture',
      'exportUsers',
    ),
    ...methods(UsageService, 'getUsage', 'listUsage'),
    ...methods(
      AccessService,
      'getAccess',
      'createGrant',
      'updateGrant',
      'deleteGrant',
      'setAccessMode',
      'listMembersAccess',
      'listRestrictable',
    ),
    ...methods(
      AccessRequestsService,
      'getAccessRules',
      'setAccessRules',
      'listAccessRequests',
      'createAccessRequest',
      'decideAccessRequest',
      'withdrawAccessRequest',
    ),
    ...methods(DomainsService, 'listDomains', 'claimDomain', 'checkDomain', 'confirmDomain', 'removeDomain'),
    ...methods(GroupRulesService, 'listGroupRules', 'setGroupRules'),
    ...methods(
      ScimService,
      'createScimToken',
      'listScimTokens',
      'revokeScimToken',
      'verifyScimToken',
      'listScimUsers',
      'createScimUser',
      'changeScimUser',
      'deleteScimUser',
      'listScimGroups',
      'createScimGroup',
      'changeScimGroup',
      'deleteScimGroup',
    ),
    ...methods(
      DevicesService,
      'listDevices',
      'getDevice',
      'getDeviceBySerial',
      'getDeviceCounts',
      'getDeviceTrend',
      'listActivity',
      'getDevicePresence',
      'listDeviceEvents',
      'createEnrolmentToken',
      'revokeEnrolmentToken',
      'checkEnrolmentToken',
      'enrol',
      'rotateKey',
      'replaceDevice',
      'decideMachine',
      'separateMachine',
      'getDeviceByAddress',
      'findWebPage',
      'setService',
      'enableHttp',
      'setVnc',
      'renameDevice',
      'moveDevice',
      'deleteDevice',
      'labelDevices',
      'listLabels',
      'setNotes',
      'matchFilters',
      'countReach',
    ),
    ...methods(BulkService, 'startBulkJob', 'listBulkJobs', 'getBulkJob', 'cancelBulkJob'),
    ...methods(SavedFiltersService, 'listSavedFilters', 'saveFilter', 'deleteSavedFilter'),
    ...methods(
      RolloutsService,
      'listAgentVersions',
      'listRollouts',
      'startRollout',
      'setRolloutShare',
      'changeRollout',
      'listRolloutDevices',
      'retryRolloutDevice',
      'getUpdateWindow',
      'setUpdateWindow',
    ),
    ...methods(MetricsService, 'getMetrics', 'listBoots', 'getSparklines'),
    ...methods(
      NotificationsService,
      'listChannels',
      'createChannel',
      'updateChannel',
      'deleteChannel',
      'testChannel',
      'rotateChannelSecret',
      'listNotifications',
      'retryNotification',
    ),
    ...methods(
      AlertsService,
      'listAlerts',
      'getAlertCounts',
      'getAlertTrend',
      'acknowledgeAlerts',
      'listAlertRules',
      'createAlertRule',
      'updateAlertRule',
      'deleteAlertRule',
      'previewAlertRule',
      'listAlertSilences',
      'createAlertSilence',
      'deleteAlertSilence',
    ),
    ...methods(TunnelsService, 'rebootDevice', 'rotateDeviceKey', 'pingDevice'),
    ...methods(TunnelsService, 'listTerminals', 'endTerminal', 'changeTerminal'),
    ...methods(AuditService, 'listEvents', 'getEvent', 'getRetention', 'setRetention'),
    ...methods(
      AuditService,
      'listStreams',
      'createStream',
      'updateStream',
      'deleteStream',
      'testStream',
      'rotateStreamSecret',
    ),
    ...RECORDING_CALLS,
  ],
  // Which devices a recording policy holds for, and tickets for the streams of recorded terminals.
  audit: [...methods(MatchingService, 'matchDevices'), ...methods(TunnelsService, 'recordTerminal')],
  identity: [
    ...methods(AuditService, 'importEvents'),
    // What the makers of guest links may still do.
    ...methods(TenancyService, 'resolveMember'),
    ...methods(DevicesService, 'checkDeviceAccess'),
  ],
  // What the saved filters that a grant names select by.
  tenancy: [...methods(SavedFiltersService, 'expandFilter')],
  devices: [
    ...methods(TenancyService, 'getAccount', 'resolveMember'),
    ...methods(TunnelsService, 'offerUpdate', 'rebootDevice'),
    // What names a saved filter that is to be changed.
    ...methods(AccessService, 'listFilterUses'),
    ...methods(AlertsService, 'listFilterUses'),
  ],
  fleet: [
    ...methods(DevicesService, 'findDeviceAccounts', 'checkDeviceAccess'),
    ...methods(MatchingService, 'matchDevices', 'countMatches', 'listDeviceAccounts'),
    ...methods(SavedFiltersService, 'expandFilter'),
    ...methods(TenancyService, 'getAccount'),
  ],
  tunnels: [
    ...methods(DevicesService, 'findWebPage', 'getDeviceCredentials', 'reportFacts', 'checkDeviceAccess'),
    ...methods(MetricsService, 'reportMetrics'),
    ...methods(IdentityService, 'checkSession', 'checkSessions', 'peekSocketToken', 'redeemSocketToken'),
    ...methods(TenancyService, 'resolveMember'),
    ...methods(AccessService, 'listRestricted'),
    ...methods(AccessRequestsService, 'getTerminalRules'),
    ...methods(RecordingsService, 'getRecordingPolicy'),
    ...methods(TunnelsService, 'getLease', 'pingDevice'),
  ],
};

/** Whether a service calls a method. */
export function mayCall(service: string, method: DescMethod): boolean {
  return callsOf(service).includes(method);
}

/** The methods that a process calls; none for a process that is not a service. */
function callsOf(name: string): readonly DescMethod[] {
  return SERVICE_NAMES.some((known) => known === name) ? CALLS[name as ServiceName] : [];
}

/** The proto services of which a process gets clients. */
export function clientsOf(name: string): readonly DescService[] {
  return [...new Set(callsOf(name).map(({ parent }) => parent))];
}
