import { Module, type DynamicModule } from '@nestjs/common';
import type { DescService } from '@bufbuild/protobuf';
import type { CommonConfig } from '../config/common.ts';
import { EventsModule } from '../events/events.module.ts';
import { HealthRegistry } from '../health/health.registry.ts';
import { TRAFFIC, type ServiceName } from '../nats/subjects.ts';
import { OPS_OPTIONS, OpsServer } from '../health/ops.server.ts';
import { RpcModule } from '../rpc/rpc.module.ts';
import { loggerModule } from '../telemetry/logger.ts';
import { SERVICE_INFO, type ServiceInfo } from './service-info.ts';

/** Set by the release; a checkout runs as this. */
export const VERSION = '0.1.0';

export interface ServiceOptions {
  name: string;
  config: CommonConfig;
  /** Services that this one calls. */
  clients?: DescService[];
  /** True for a service that keeps its events in its database until they are out. */
  outbox?: boolean;
}

/** What every process stands on: logs, health, metrics, calls, events. */
@Module({})
export class ServiceModule {
  static forRoot({ name, config, clients = [], outbox = false }: ServiceOptions): DynamicModule {
    requireTraffic(name, clients);
    const production = config.NODE_ENV === 'production';
    const info: ServiceInfo = { name, version: VERSION, nats: config, production };
    return {
      module: ServiceModule,
      global: true,
      imports: [loggerModule(name, config), RpcModule.forRoot({ clients }), EventsModule.forRoot({ outbox })],
      providers: [
        HealthRegistry,
        OpsServer,
        { provide: SERVICE_INFO, useValue: info },
        { provide: OPS_OPTIONS, useValue: { host: config.OPS_HOST, port: config.OPS_PORT } },
      ],
      exports: [HealthRegistry, OpsServer, SERVICE_INFO],
    };
  }
}

/** A service that calls what the bus would refuse it should say so when it starts, not when somebody waits. */
function requireTraffic(name: string, clients: DescService[]): void {
  const { calls } = TRAFFIC[name as ServiceName] ?? { calls: clients };
  const foreign = clients.find((client) => !calls.includes(client));
  if (foreign) throw new Error(`${name} calls ${foreign.typeName}, which TRAFFIC (nats/subjects.ts) does not name.`);
}
