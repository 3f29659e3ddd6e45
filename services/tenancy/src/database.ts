import type { DatabaseOptions } from '@warren/platform/database/database.options';
import { databaseServer, type DatabaseSettings } from '@warren/platform/database/database.server';
import { OutboxEntity } from '@warren/platform/events/outbox.entity';
import { GrantEntity, ServiceAccountGrantEntity } from './access/grant.entity.ts';
import { AccountEntity } from './accounts/account.entity.ts';
import { DomainEntity } from './domains/domain.entity.ts';
import { GroupEntity } from './groups/group.entity.ts';
import { InvitationEntity } from './invitations/invitation.entity.ts';
import { BindSignIns1795640400000 } from './migrations/20261125-bind-sign-ins.ts';
import { CreateTenancy1795208400000 } from './migrations/20261120-create-tenancy.ts';
import { InvitePeople1795294800000 } from './migrations/20261121-invite-people.ts';
import { RecordBackups1795726800000 } from './migrations/20261126-record-backups.ts';
import { SetQuotas1795986000000 } from './migrations/20261129-set-quotas.ts';
import { StoreUsage1795987800000 } from './migrations/20261129-store-usage.ts';
import { SumTraffic1796083200000 } from './migrations/20261130-sum-traffic.ts';
import { GrantAccess1797109200000 } from './migrations/20261212-grant-access.ts';
import { RequestAccess1797454800000 } from './migrations/20261216-request-access.ts';
import { CreateServiceAccounts1797886800000 } from './migrations/20261221-create-service-accounts.ts';
import { AllowGuestLinks1798405200000 } from './migrations/20261227-allow-guest-links.ts';
import { ProvisionUsers1797973200000 } from './migrations/20261222-provision-users.ts';
import { ClaimDomains1798059600000 } from './migrations/20261223-claim-domains.ts';
import { ValidateGrants1798750800000 } from './migrations/20261231-validate-grants.ts';
import { MapGroups1798837200000 } from './migrations/20270101-map-groups.ts';
import { KeepDomainChecks1799182800000 } from './migrations/20270105-keep-domain-checks.ts';
import { PinTerminals1799874000000 } from './migrations/20270113-pin-terminals.ts';
import { KeepRevokedScimTokens1800529200000 } from './migrations/20270121-keep-revoked-scim-tokens.ts';
import { KeepScimEmails1800615600000 } from './migrations/20270122-keep-scim-emails.ts';
import { ObserveTerminals1800702000000 } from './migrations/20270123-observe-terminals.ts';
import { PictureEntity } from './profiles/picture.entity.ts';
import { AccessDecisionEntity } from './requests/decision.entity.ts';
import { AccessRequestEntity } from './requests/request.entity.ts';
import { ScimTokenEntity } from './scim/scim.token.entity.ts';
import { ServiceAccountEntity } from './service-accounts/service-account.entity.ts';
import { SortUsers1795298400000 } from './migrations/20261121-sort-users.ts';
import { UserEntity } from './users/user.entity.ts';

/** What tenancy keeps in PostgreSQL. */
export function databaseOptions(config: DatabaseSettings): DatabaseOptions {
  return {
    name: 'tenancy',
    ...databaseServer(config),
    entities: [
      AccessDecisionEntity,
      AccessRequestEntity,
      AccountEntity,
      DomainEntity,
      GrantEntity,
      GroupEntity,
      InvitationEntity,
      PictureEntity,
      ScimTokenEntity,
      ServiceAccountEntity,
      ServiceAccountGrantEntity,
      UserEntity,
      OutboxEntity,
    ],
    migrations: [
      CreateTenancy1795208400000,
      InvitePeople1795294800000,
      SortUsers1795298400000,
      BindSignIns1795640400000,
      RecordBackups1795726800000,
      SetQuotas1795986000000,
      StoreUsage1795987800000,
      SumTraffic1796083200000,
      GrantAccess1797109200000,
      RequestAccess1797454800000,
      CreateServiceAccounts1797886800000,
      ProvisionUsers1797973200000,
      ClaimDomains1798059600000,
      AllowGuestLinks1798405200000,
      ValidateGrants1798750800000,
      MapGroups1798837200000,
      KeepDomainChecks1799182800000,
      PinTerminals1799874000000,
      KeepRevokedScimTokens1800529200000,
      KeepScimEmails1800615600000,
      ObserveTerminals1800702000000,
    ],
  };
}
