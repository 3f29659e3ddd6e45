import type { DatabaseOptions } from '@warren/platform/database/database.options';
import { databaseServer, type DatabaseSettings } from '@warren/platform/database/database.server';
import { OutboxEntity } from '@warren/platform/events/outbox.entity';
import { AccountEntity } from './accounts/account.entity.ts';
import { CreateDevices1795208400000 } from './migrations/20261120-create-devices.ts';
import { PlaceDesktops1795302000000 } from './migrations/20261121-place-desktops.ts';
import { KeepHistory1795303800000 } from './migrations/20261121-keep-history.ts';
import { PlaceWebPages1795294800000 } from './migrations/20261121-place-web-pages.ts';
import { NameWebHosts1795381200000 } from './migrations/20261122-name-web-hosts.ts';
import { RollOutUpdates1795467600000 } from './migrations/20261123-roll-out-updates.ts';
import { ReplaceDevices1795471200000 } from './migrations/20261123-replace-devices.ts';
import { TellHeat1795557600000 } from './migrations/20261124-tell-heat.ts';
import { PermitWebPages1795644000000 } from './migrations/20261125-permit-web-pages.ts';
import { DecideMachines1795730400000 } from './migrations/20261126-decide-machines.ts';
import { RetryUpdates1795734000000 } from './migrations/20261126-retry-updates.ts';
import { TryUpdates1795816800000 } from './migrations/20261127-try-updates.ts';
import { WindowUpdates1795903200000 } from './migrations/20261128-window-updates.ts';
import { KeepQuotas1795986000000 } from './migrations/20261129-keep-quotas.ts';
import { AddFacts1796072400000, FillFacts1796072460000 } from './migrations/20261130-gather-facts.ts';
import { LabelDevices1796158800000 } from './migrations/20261201-label-devices.ts';
import { SortDevices1796245200000 } from './migrations/20261202-sort-devices.ts';
import { SaveFilters1796418000000 } from './migrations/20261204-save-filters.ts';
import { RunBulkJobs1796677200000 } from './migrations/20261207-run-bulk-jobs.ts';
import { FindFailedUpdates1796763600000 } from './migrations/20261208-find-failed-updates.ts';
import { IndexChanges1796850000000 } from './migrations/20261209-index-changes.ts';
import { FillFilterKeys1796936460000, KeyFilters1796936400000 } from './migrations/20261210-key-filters.ts';
import { CompareFacts1797109200000 } from './migrations/20261212-compare-facts.ts';
import { FillNarrowDevices1797195660000, NarrowDevices1797195600000 } from './migrations/20261213-narrow-devices.ts';
import { NoticeClones1795384800000 } from './migrations/20261122-notice-clones.ts';
import { BulkJobEntity } from './bulk/bulk.job.entity.ts';
import { MachineEntity } from './machines/machine.entity.ts';
import { RolloutEntity } from './rollouts/rollout.entity.ts';
import { SavedFilterEntity } from './filters/saved.filter.entity.ts';
import { UpdateWindowEntity } from './windows/update.window.entity.ts';

/** What devices keeps in PostgreSQL. */
export function databaseOptions(config: DatabaseSettings): DatabaseOptions {
  return {
    name: 'devices',
    ...databaseServer(config),
    entities: [
      AccountEntity,
      BulkJobEntity,
      MachineEntity,
      OutboxEntity,
      RolloutEntity,
      SavedFilterEntity,
      UpdateWindowEntity,
    ],
    migrations: [
      CreateDevices1795208400000,
      PlaceWebPages1795294800000,
      PlaceDesktops1795302000000,
      KeepHistory1795303800000,
      NameWebHosts1795381200000,
      NoticeClones1795384800000,
      RollOutUpdates1795467600000,
      ReplaceDevices1795471200000,
      TellHeat1795557600000,
      PermitWebPages1795644000000,
      DecideMachines1795730400000,
      RetryUpdates1795734000000,
      TryUpdates1795816800000,
      WindowUpdates1795903200000,
      KeepQuotas1795986000000,
      AddFacts1796072400000,
      FillFacts1796072460000,
      LabelDevices1796158800000,
      SortDevices1796245200000,
      SaveFilters1796418000000,
      RunBulkJobs1796677200000,
      FindFailedUpdates1796763600000,
      IndexChanges1796850000000,
      KeyFilters1796936400000,
      FillFilterKeys1796936460000,
      CompareFacts1797109200000,
      NarrowDevices1797195600000,
      FillNarrowDevices1797195660000,
    ],
  };
}
