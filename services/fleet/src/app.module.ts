import { Module, type Type } from '@nestjs/common';
import { DatabaseModule } from '@warren/platform/database/database.module';
import { Outbox } from '@warren/platform/events/outbox';
import { ServiceModule } from '@warren/platform/service/service.module';
import { ALERTS } from './alerts/alerts.providers.ts';
import type { FleetConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { DeviceDirectory } from './devices/device.directory.ts';
import { DeviceEvents } from './devices/device.events.ts';
import { DeviceReconciler } from './devices/device.reconciler.ts';
import { DeviceRemoval } from './devices/device.removal.ts';
import { HistoryReader } from './metrics/history.reader.ts';
import { HistoryService } from './metrics/history.service.ts';
import { ReportService } from './metrics/report.service.ts';
import { METRICS_HISTORY, ReportStore } from './metrics/report.store.ts';
import { NotificationsModule } from './notifications/notifications.module.ts';
import { remoteWrite } from './remote-write/remote-write.providers.ts';
import { MetricsRpc } from './rpc/metrics.rpc.ts';
import { Compactor } from './store/compactor.ts';
import { METRICS_MONTHS, StoreKeeper } from './store/keeper.ts';

/** The fleet process. */
export function appModule(config: FleetConfig): Type {
  @Module({
    imports: [
      ServiceModule.forRoot({ name: 'fleet', config, outbox: Outbox }),
      DatabaseModule.forRoot(databaseOptions(config)),
      NotificationsModule.forRoot(config),
    ],
    providers: [
      ...ALERTS,
      Compactor,
      DeviceDirectory,
      DeviceEvents,
      DeviceReconciler,
      DeviceRemoval,
      HistoryReader,
      HistoryService,
      MetricsRpc,
      ReportService,
      ReportStore,
      StoreKeeper,
      ...remoteWrite(config),
      { provide: METRICS_HISTORY, useValue: config.METRICS_HISTORY },
      { provide: METRICS_MONTHS, useValue: config.METRICS_MONTHS },
    ],
  })
  class AppModule {}
  return AppModule;
}
