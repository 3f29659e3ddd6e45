import { Module, RequestMethod, type DynamicModule, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { upgradeRequired, UPGRADE_PATHS } from '@warren/platform/http/upgrade.required';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { PassThrough } from './pass.through.ts';
import { TunnelsReplicas } from './tunnels.replicas.ts';

/**
 * The way to tunnels for installations whose ingress does not route to it. It attaches itself to the HTTP server; the application
 * brings RedisModule.
 */
@Module({})
export class ForwardModule implements NestModule {
  static forRoot(config: GatewayConfig): DynamicModule {
    const providers = [{ provide: GATEWAY_CONFIG, useValue: config }, PassThrough, ReplicaDirectory, TunnelsReplicas];
    return { module: ForwardModule, providers };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(upgradeRequired).forRoutes(...UPGRADE_PATHS.map((path) => ({ path, method: RequestMethod.ALL })));
  }
}
