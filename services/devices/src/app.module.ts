import { Module, type Type } from '@nestjs/common';
import { quotaDefaults } from '@warren/platform/config/quotas';
import { DatabaseModule } from '@warren/platform/database/database.module';
import { RedisModule } from '@warren/platform/redis/redis.module';
import { Outbox } from '@warren/platform/events/outbox';
import { ServiceModule } from '@warren/platform/service/service.module';
import { AccessService } from './devices/device-access.service.ts';
import { AccountDirectory } from './accounts/account.directory.ts';
import { AccountEvents } from './accounts/account.events.ts';
import { bulkJobs } from './bulk/bulk.module.ts';
import type { DevicesConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { DeviceManagementService } from './devices/device-management.service.ts';
import { DEVICE_DOMAIN, DevicesService } from './devices/devices.service.ts';
import { WebServiceLookup } from './devices/web-service.lookup.ts';
import { EnrolmentService } from './enrolment/enrolment.service.ts';
import { ReplacementService } from './devices/replacement.service.ts';
import { MakerEvents } from './enrolment/maker.events.ts';
import { RotationService } from './enrolment/rotation.service.ts';
import { TokensService } from './enrolment/tokens.service.ts';
import { FactsService } from './facts/facts.service.ts';
import { FilterExpansion } from './filters/filter.keys.ts';
import { FilterUses } from './filters/filter.uses.ts';
import { SavedFiltersRpc } from './filters/saved.filters.rpc.ts';
import { SavedFiltersService } from './filters/saved.filters.service.ts';
import { ActivityService } from './activity/activity.service.ts';
import { HistoryKeeper } from './activity/keeper.ts';
import { TrendService } from './activity/trend.service.ts';
import { LabelsService } from './labels/labels.service.ts';
import { MachineDecisions } from './machines/machine.decisions.ts';
import { SeparationService } from './machines/separation.service.ts';
import { WaitingMachines } from './machines/waiting.machines.ts';
import { Census } from './presence/census.ts';
import { MatchingRpc } from './matching/matching.rpc.ts';
import { MatchingService } from './matching/matching.service.ts';
import { ClonedDevices } from './presence/clones.ts';
import { LeaseReader } from './presence/lease.reader.ts';
import { PresenceService } from './presence/presence.service.ts';
import { Reconciler } from './presence/reconciler.ts';
import { DEVICES_CENSUS } from './quotas/devices.census.ts';
import { DevicesQuota, QUOTA_DEFAULTS } from './quotas/devices.quota.ts';
import { RolloutFlaps } from './rollouts/rollout.flaps.ts';
import { RolloutOffers } from './rollouts/rollout.offers.ts';
import { RolloutRunner } from './rollouts/rollout.runner.ts';
import { TRIAL_SECONDS } from './rollouts/rollout.trial.ts';
import { RolloutTurns } from './rollouts/rollout.turns.ts';
import { RolloutsRpc } from './rollouts/rollouts.rpc.ts';
import { RolloutsService } from './rollouts/rollouts.service.ts';
import { UpdateWindowsService } from './windows/update.windows.service.ts';
import { DevicesRpc } from './rpc/devices.rpc.ts';

const rollouts = [RolloutFlaps, RolloutOffers, RolloutRunner, RolloutTurns, RolloutsRpc, RolloutsService];
const filters = [FilterExpansion, FilterUses, MatchingRpc, MatchingService, SavedFiltersRpc, SavedFiltersService];

/** The devices process. */
export function appModule(config: DevicesConfig): Type {
  const bulk = bulkJobs(config);
  @Module({
    imports: [
      ServiceModule.forRoot({ name: 'devices', config, outbox: Outbox }),
      DatabaseModule.forRoot(databaseOptions(config)),
      RedisModule.forRoot({ config, name: 'devices' }),
      ...bulk.imports,
    ],
    providers: [
      AccessService,
      AccountDirectory,
      AccountEvents,
      ...bulk.providers,
      ActivityService,
      Census,
      ClonedDevices,
      DeviceManagementService,
      DevicesQuota,
      DevicesRpc,
      DevicesService,
      EnrolmentService,
      RotationService,
      ReplacementService,
      FactsService,
      HistoryKeeper,
      LabelsService,
      LeaseReader,
      MachineDecisions,
      MakerEvents,
      PresenceService,
      Reconciler,
      ...rollouts,
      ...filters,
      SeparationService,
      TokensService,
      TrendService,
      UpdateWindowsService,
      WaitingMachines,
      WebServiceLookup,
      { provide: QUOTA_DEFAULTS, useValue: quotaDefaults(config) },
      DEVICES_CENSUS,
      { provide: DEVICE_DOMAIN, useValue: config.DEVICE_DOMAIN },
      { provide: TRIAL_SECONDS, useValue: config.ROLLOUT_TRIAL_SECONDS },
    ],
  })
  class AppModule {}
  return AppModule;
}
