import { Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { SessionSignals } from '@warren/platform/broker/session.signals';
import { RedisModule } from '@warren/platform/redis/redis.module';
import { ServiceModule } from '@warren/platform/service/service.module';
import { AccessController } from './access/access.controller.ts';
import { ReachController } from './access/reach.controller.ts';
import { AccessRequestsController } from './access/requests.controller.ts';
import { PreviewService } from './access/preview.service.ts';
import { ReachService } from './access/reach.service.ts';
import { AccountsController } from './accounts/accounts.controller.ts';
import { AlertRulesController } from './alerts/alert-rules.controller.ts';
import { AlertSilencesController } from './alerts/alert-silences.controller.ts';
import { AlertsController } from './alerts/alerts.controller.ts';
import { AgentController } from './agent/agent.controller.ts';
import { AccountNames } from './audit/account.names.ts';
import { AuditController } from './audit/audit.controller.ts';
import { AuditStreamsController } from './audit/streams.controller.ts';
import { AuditExports } from './audit/audit.exports.ts';
import { Refusals } from './http/refusals.ts';
import { AuthModule } from './auth/auth.module.ts';
import { BulkController } from './bulk/bulk.controller.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from './config.ts';
import { DeviceActionsController } from './devices/device-actions.controller.ts';
import { DeviceReplica } from './devices/device.replica.ts';
import { LabelsController } from './devices/labels.controller.ts';
import { SavedFiltersController } from './devices/saved-filters.controller.ts';
import { DevicesController } from './devices/devices.controller.ts';
import { RoundTripController } from './devices/round-trip.controller.ts';
import { EnrolmentController } from './enrolment/enrolment.controller.ts';
import { ForwardModule } from './forward/forward.module.ts';
import { GroupsController } from './groups/groups.controller.ts';
import { ActivityController } from './home/activity.controller.ts';
import { GuestLinksController } from './guests/guest-links.controller.ts';
import { GuestsController } from './guests/guests.controller.ts';
import { HomeController } from './home/home.controller.ts';
import { accessFields } from './http/access.log.ts';
import { FaultFilter } from './http/fault.filter.ts';
import { HubCertificate } from './http/hub.certificate.ts';
import { RateLimitGuard } from './http/rate.limit.guard.ts';
import { SchemaPipe } from './http/schema.pipe.ts';
import { AgentPackages } from './install/agent.packages.ts';
import { InstallController } from './install/install.controller.ts';
import { AcceptanceController } from './invitations/acceptance.controller.ts';
import { InvitationLimits } from './invitations/invitation.limits.ts';
import { InvitationsController } from './invitations/invitations.controller.ts';
import { LiveController } from './live/live.controller.ts';
import { LiveService } from './live/live.service.ts';
import { DocsController } from './openapi/docs.controller.ts';
import { DocsService } from './openapi/docs.service.ts';
import { ChannelsController } from './notifications/channels.controller.ts';
import { NotificationsController } from './notifications/notifications.controller.ts';
import { OwnSessionsController } from './own-sessions/own-sessions.controller.ts';
import { ProfileController } from './profile/profile.controller.ts';
import { ServiceAccountsController } from './service-accounts/service-accounts.controller.ts';
import { DomainsController } from './domains/domains.controller.ts';
import { GroupRulesController } from './group-rules/group-rules.controller.ts';
import { ScimDiscoveryController } from './scim/scim.discovery.controller.ts';
import { ScimGroupsController } from './scim/scim.groups.controller.ts';
import { ScimGuard } from './scim/scim.guard.ts';
import { ScimTokensController } from './scim/scim-tokens.controller.ts';
import { ScimUsersController } from './scim/scim.users.controller.ts';
import { SocketsController } from './sockets/sockets.controller.ts';
import { SocketsService } from './sockets/sockets.service.ts';
import { OwnTokensController } from './tokens/own-tokens.controller.ts';
import { TokensController } from './tokens/tokens.controller.ts';
import { TerminalsController } from './terminals/terminals.controller.ts';
import { QuotaUse } from './quotas/quota.use.ts';
import { QuotasController } from './quotas/quotas.controller.ts';
import { RecordingExportsController } from './recordings/exports.controller.ts';
import { RecordingExports } from './recordings/recording.exports.ts';
import { RecordingsController } from './recordings/recordings.controller.ts';
import { RecordingSettingsController } from './recordings/settings.controller.ts';
import { RolloutsController } from './updates/rollouts.controller.ts';
import { UpdateWindowsController } from './updates/update-windows.controller.ts';
import { UpdatesController } from './updates/updates.controller.ts';
import { MetricsController } from './metrics/metrics.controller.ts';
import { UsageController } from './usage/usage.controller.ts';
import { UsersController } from './users/users.controller.ts';
import { GuestWebController } from './web/guest-web.controller.ts';
import { WebModule } from './web/web.module.ts';
import { WorkspaceController } from './workspace/workspace.controller.ts';

const controllers = [
  AcceptanceController,
  AccessController,
  AccessRequestsController,
  AccountsController,
  ActivityController,
  AgentController,
  AuditController,
  AuditStreamsController,
  // Before the devices: `bulk` is no id.
  BulkController,
  ChannelsController,
  AlertRulesController,
  AlertSilencesController,
  AlertsController,
  DeviceActionsController,
  LabelsController,
  DevicesController,
  DocsController,
  EnrolmentController,
  GroupsController,
  GuestLinksController,
  // Before what takes an id there.
  GuestWebController,
  GuestsController,
  HomeController,
  InstallController,
  InvitationsController,
  LiveController,
  OwnSessionsController,
  OwnTokensController,
  ProfileController,
  QuotasController,
  // Before what takes an id there.
  RecordingSettingsController,
  RecordingExportsController,
  RecordingsController,
  ReachController,
  RolloutsController,
  RoundTripController,
  SavedFiltersController,
  ServiceAccountsController,
  DomainsController,
  GroupRulesController,
  ScimDiscoveryController,
  ScimGroupsController,
  ScimTokensController,
  ScimUsersController,
  SocketsController,
  TerminalsController,
  TokensController,
  UpdateWindowsController,
  UpdatesController,
  MetricsController,
  NotificationsController,
  UsageController,
  UsersController,
  WorkspaceController,
];

/** The gateway as a module for one configuration. Creating it connects to nothing; starting it does. */
export function appModule(config: GatewayConfig): Type {
  @Module({
    imports: [
      ServiceModule.forRoot({ name: 'gateway', config, access: accessFields(config.ACCESS_LOG) }),
      RedisModule.forRoot({ config, name: 'gateway' }),
      AuthModule.forRoot(config),
      ForwardModule.forRoot(config),
      WebModule.forRoot(config),
    ],
    controllers,
    providers: [
      { provide: GATEWAY_CONFIG, useValue: config },
      // The root module's guards come before those of the modules it imports: the limit counts before a session is read.
      { provide: APP_GUARD, useClass: RateLimitGuard },
      { provide: APP_FILTER, useClass: FaultFilter },
      { provide: APP_PIPE, useClass: SchemaPipe },
      AccountNames,
      AgentPackages,
      AuditExports,
      DeviceReplica,
      DocsService,
      HubCertificate,
      InvitationLimits,
      LiveService,
      QuotaUse,
      RecordingExports,
      PreviewService,
      ReachService,
      Refusals,
      ReplicaDirectory,
      ScimGuard,
      SessionSignals,
      SocketsService,
    ],
  })
  class AppModule {}
  return AppModule;
}
