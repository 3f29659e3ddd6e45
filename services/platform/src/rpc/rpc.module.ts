import { Inject, Module, type DynamicModule } from '@nestjs/common';
import type { DescService } from '@bufbuild/protobuf';
import { createRpcClient } from './client.ts';
import { natsLinkProvider, NatsLink } from './nats.connection.ts';
import { NatsTransport } from './nats.transport.ts';
import { RpcServer } from './rpc.server.ts';

function clientToken(service: DescService): string {
  return `rpc-client:${service.typeName}`;
}

/** Injects a typed client (`RpcClient<typeof Service>`) of a service named in `RpcModule.forRoot({clients})`. */
export const InjectRpc = (service: DescService) => Inject(clientToken(service));

/** NATS, the server for this process's own services, and clients of the others'. */
@Module({})
export class RpcModule {
  static forRoot({ clients = [] }: { clients?: readonly DescService[] } = {}): DynamicModule {
    const providers = clients.map((service) => ({
      provide: clientToken(service),
      inject: [NatsTransport],
      useFactory: (transport: NatsTransport) => createRpcClient(service, transport),
    }));
    return {
      module: RpcModule,
      global: true,
      providers: [natsLinkProvider, NatsTransport, RpcServer, ...providers],
      exports: [NatsLink, NatsTransport, RpcServer, ...providers.map(({ provide }) => provide)],
    };
  }
}
