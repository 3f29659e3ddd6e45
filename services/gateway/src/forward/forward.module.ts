import { Module, RequestMethod, type DynamicModule, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { upgradeRequired, UPGRADE_PATHS } from '@warren/platform/http/upgrade.required';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { AgentDoor } from './agent.door.ts';
import { CertificateHosts } from './certificate.hosts.ts';
import { Destinations } from './destinations.ts';
import { Forwarder } from './forwarder.ts';
import { GivenTokens } from './given.tokens.ts';
import { PeerAddress } from './peer.address.ts';
import { WebDestinations } from './web.destinations.ts';
import { WebForwarder } from './web.forwarder.ts';

/**
 * The way to the tunnels replicas. It attaches itself to the HTTP server; the application brings RedisModule and an rpc clients
 * of IdentityService and DevicesService.
 */
@Module({})
export class ForwardModule implements NestModule {
  static forRoot(config: GatewayConfig): DynamicModule {
    const providers = [
      { provide: GATEWAY_CONFIG, useValue: config },
      AgentDoor,
      CertificateHosts,
      Destinations,
      Forwarder,
      GivenTokens,
      PeerAddress,
      ReplicaDirectory,
      WebDestinations,
      WebForwarder,
    ];
    return { module: ForwardModule, providers, exports: [GivenTokens] };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(upgradeRequired).forRoutes(...UPGRADE_PATHS.map((path) => ({ path, method: RequestMethod.ALL })));
  }
}
