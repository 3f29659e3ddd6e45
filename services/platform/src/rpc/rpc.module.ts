import { Inject, Module, type DynamicModule } from '@nestjs/common';
import type { DescService } from '@bufbuild/protobuf';
import { CALLER_KEYS, readCallerKeys } from './caller.keys.ts';
import { createRpcClient } from './client.ts';
import { natsLinkProvider, NatsLink } from './nats.connection.ts';
import { NatsTransport } from './nats.transport.ts';
import { SERVICE_INFO, type ServiceInfo } from '../process/service-info.ts';
import { RpcServer } from './rpc.server.ts';

function clientToken(service: DescService): string {
  return `rpc-client:${service.typeName}`;
}

/** Injects a typed client (`RpcClient<typeof Service>`) of a service named in `RpcModule.forRoot({clients})`. */
export const InjectRpc = (service: DescService) => Inject(clientToken(service));

const callerKeysProvider = {
  provide: CALLER_KEYS,
  inject: [SERVICE_INFO],
  useFactory: ({ name, callers }: ServiceInfo) => readCallerKeys(name, callers),
};

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
      providers: [natsLinkProvider, callerKeysProvider, NatsTransport, RpcServer, ...providers],
      exports: [NatsLink, NatsTransport, RpcServer, ...providers.map(({ provide }) => provide)],
    };
  }
}
