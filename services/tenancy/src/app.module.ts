import { Module, type Type } from '@nestjs/common';
import { DatabaseModule } from '@warren/platform/database/database.module';
import { Outbox } from '@warren/platform/events/outbox';
import { RedisServer } from '@warren/platform/redis/redis.server';
import { ServiceModule } from '@warren/platform/service/service.module';
import { AccessService } from './access/access.service.ts';
import { GrantExpiry } from './access/grant.expiry.ts';
import { GrantsService } from './access/grants.service.ts';
import { SavedFilters } from './access/saved.filters.ts';
import { AccountsService } from './accounts/accounts.service.ts';
import { BACKUP_MAX_AGE, BackupAge } from './backups/backup.age.ts';
import { BOOTSTRAP_OPTIONS, BootstrapService } from './bootstrap/bootstrap.service.ts';
import type { TenancyConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { GroupManagement } from './lifecycle/group-management.service.ts';
import { GroupsService } from './groups/groups.service.ts';
import { INVITATION_MAILS } from './invitations/invitation.queue.ts';
import { InvitationsModule } from './invitations/invitations.module.ts';
import { AccountManagement } from './lifecycle/account-management.service.ts';
import { Founder } from './lifecycle/founder.ts';
import { Ownership } from './lifecycle/ownership.service.ts';
import { MailsModule } from './mails/mails.module.ts';
import { MembersService } from './members/members.service.ts';
import { MemberVersion } from './members/member.version.ts';
import { ProfilesService } from './profiles/profiles.service.ts';
import { QuotasModule } from './quotas/quotas.module.ts';
import { DecisionsService } from './requests/decisions.service.ts';
import { RequestExpiry } from './requests/request.expiry.ts';
import { RequestPost } from './requests/request.post.ts';
import { RequestPublisher } from './requests/request.publisher.ts';
import { ACCESS_MAILS } from './requests/request.queue.ts';
import { AccessRequestsService } from './requests/requests.service.ts';
import { AccessRulesService } from './requests/rules.service.ts';
import { AccessRpc } from './rpc/access.rpc.ts';
import { InvitationsRpc } from './rpc/invitations.rpc.ts';
import { AccessRequestsRpc } from './rpc/requests.rpc.ts';
import { ServiceAccountsRpc } from './rpc/service-accounts.rpc.ts';
import { TenancyRpc } from './rpc/tenancy.rpc.ts';
import { ScimRpc } from './rpc/scim.rpc.ts';
import { DomainsRpc } from './rpc/domains.rpc.ts';
import { UsageRpc } from './rpc/usage.rpc.ts';
import { UsersRpc } from './rpc/users.rpc.ts';
import { ServiceAccountsService } from './service-accounts/service-accounts.service.ts';
import { ScimGroupsService } from './scim/scim.groups.service.ts';
import { ScimMembers } from './scim/scim.members.ts';
import { ScimRefusals } from './scim/scim.refusals.ts';
import { ScimTokensService } from './scim/scim.tokens.service.ts';
import { ScimUsersService } from './scim/scim.users.service.ts';
import { GroupAssignment } from './group-rules/group.assignment.ts';
import { GroupRulesService } from './group-rules/group.rules.service.ts';
import { GroupRulesRpc } from './rpc/group-rules.rpc.ts';
import { DNS_SERVERS, DomainLookup } from './domains/domain.lookup.ts';
import { DomainRecheck } from './domains/domain.recheck.ts';
import { DomainsService } from './domains/domains.service.ts';
import { UsageKeeper } from './usage/usage.keeper.ts';
import { UsageService } from './usage/usage.service.ts';
import { UsageStore } from './usage/usage.store.ts';
import { UserAdministration } from './users/user.administration.ts';
import { UserExport } from './users/user.export.ts';
import { UsersService } from './users/users.service.ts';

const requests = [
  AccessRequestsRpc,
  AccessRequestsService,
  AccessRulesService,
  DecisionsService,
  RequestExpiry,
  RequestPost,
  RequestPublisher,
];

/** SCIM, and the domains that it may use. */
const provisioning = [
  DomainLookup,
  DomainRecheck,
  DomainsRpc,
  DomainsService,
  GroupAssignment,
  GroupRulesRpc,
  GroupRulesService,
  ScimGroupsService,
  ScimMembers,
  ScimRpc,
  ScimRefusals,
  ScimTokensService,
  ScimUsersService,
];

const accounts = [
  AccessRpc,
  AccessService,
  AccountManagement,
  AccountsService,
  BackupAge,
  BootstrapService,
  Founder,
  GrantExpiry,
  GrantsService,
  SavedFilters,
  GroupManagement,
  GroupsService,
  InvitationsRpc,
  MembersService,
  Ownership,
  ProfilesService,
  ServiceAccountsRpc,
  ServiceAccountsService,
  TenancyRpc,
  UsageKeeper,
  UsageRpc,
  UsageService,
  UsageStore,
  UserAdministration,
  UserExport,
  UsersRpc,
  UsersService,
];

/** The tenancy process. */
export function appModule(config: TenancyConfig): Type {
  @Module({
    imports: [
      ServiceModule.forRoot({ name: 'tenancy', config, outbox: Outbox }),
      DatabaseModule.forRoot(databaseOptions(config)),
      MailsModule.forRoot(config, [INVITATION_MAILS, ACCESS_MAILS]),
      InvitationsModule,
      QuotasModule.forRoot(config),
    ],
    providers: [
      ...requests,
      ...accounts,
      ...provisioning,
      {
        provide: MemberVersion,
        useFactory: (outbox: Outbox) => new MemberVersion(new RedisServer(config), outbox),
        inject: [Outbox],
      },
      { provide: DNS_SERVERS, useValue: config.DNS_SERVERS ?? [] },
      { provide: BACKUP_MAX_AGE, useValue: config.BACKUP_MAX_AGE_HOURS },
      {
        provide: BOOTSTRAP_OPTIONS,
        useValue: { email: config.OPERATOR_EMAIL, account: config.OPERATOR_ACCOUNT },
      },
    ],
  })
  class AppModule {}
  return AppModule;
}
