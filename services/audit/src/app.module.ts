import { Module, type Type } from '@nestjs/common';
import { DatabaseModule } from '@warren/platform/database/database.module';
import { EventBatches } from '@warren/platform/events/event.batches';
import { RedisModule } from '@warren/platform/redis/redis.module';
import { ServiceModule } from '@warren/platform/service/service.module';
import { CHAIN_KEYS, readChainKeys } from './chain/chain.keys.ts';
import type { AuditConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { Keeper } from './keeping/keeper.ts';
import { AUDIT_MONTHS, Retention } from './keeping/retention.ts';
import { ListService } from './list/list.service.ts';
import { feedProviders } from './recordings/feed/feed.providers.ts';
import { recordingProviders } from './recordings/recording.providers.ts';
import { EventStore } from './recording/event.store.ts';
import { Importer } from './recording/importer.ts';
import { Recorder } from './recording/recorder.ts';
import { AuditRpc } from './rpc/audit.rpc.ts';
import { streamProviders } from './streams/stream.providers.ts';
import { DailyVerification } from './verify/daily.verification.ts';
import { Verifier } from './verify/verifier.ts';

/** The audit process. */
export function appModule(config: AuditConfig): Type {
  @Module({
    imports: [
      ServiceModule.forRoot({ name: 'audit', config }),
      DatabaseModule.forRoot(databaseOptions(config)),
      RedisModule.forRoot({ config, name: 'audit' }),
    ],
    providers: [
      AuditRpc,
      EventBatches,
      EventStore,
      Importer,
      Keeper,
      ListService,
      Recorder,
      Retention,
      DailyVerification,
      Verifier,
      ...streamProviders(config),
      ...feedProviders,
      ...recordingProviders(config),
      { provide: CHAIN_KEYS, useValue: readChainKeys(config) },
      { provide: AUDIT_MONTHS, useValue: config.AUDIT_MONTHS },
    ],
  })
  class AppModule {}
  return AppModule;
}
