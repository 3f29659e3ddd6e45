import { Module, RequestMethod, type MiddlewareConsumer, type NestModule, type Type } from '@nestjs/common';
import { upgradeRequired, UPGRADE_PATHS } from '@warren/platform/http/upgrade.required';
import { RedisModule } from '@warren/platform/redis/redis.module';
import { ServiceModule } from '@warren/platform/service/service.module';
import { ConfigModule } from './config.module.ts';
import type { TunnelsConfig } from './config.ts';
import { DeviceControl } from './control/device.control.ts';
import { TerminalControl } from './control/terminal.control.ts';
import { UpdateControl } from './control/update.control.ts';
import { TunnelsRpc } from './control/tunnels.rpc.ts';
import { DesktopModule } from './desktop/desktop.module.ts';
import { LogsModule } from './logs/logs.module.ts';
import { Drain } from './drain/drain.ts';
import { Handover } from './drain/handover.ts';
import { Isolation } from './drain/isolation.ts';
import { Edge } from './edge/edge.ts';
import { RecordingsModule } from './recordings/recordings.module.ts';
import { SocketsModule } from './sockets/sockets.module.ts';
import { TerminalModule } from './terminal/terminal.module.ts';
import { WebModule } from './web/web.module.ts';

/** The tunnels process: how to reach a device. */
export function appModule(config: TunnelsConfig): Type {
  @Module({
    imports: [
      ServiceModule.forRoot({ name: 'tunnels', config }),
      RedisModule.forRoot({ config, name: 'tunnels' }),
      ConfigModule.forRoot(config),
      SocketsModule,
      TerminalModule,
      DesktopModule,
      LogsModule,
      WebModule,
      RecordingsModule,
    ],
    providers: [DeviceControl, Drain, Edge, Handover, Isolation, TerminalControl, TunnelsRpc, UpdateControl],
  })
  class AppModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      const paths = UPGRADE_PATHS.map((path) => ({ path, method: RequestMethod.ALL }));
      consumer.apply(upgradeRequired).forRoutes(...paths);
    }
  }
  return AppModule;
}
