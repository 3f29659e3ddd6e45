import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { CommonConfig } from '../config/common.ts';
import { EventsModule } from '../events/events.module.ts';
import type { Outbox } from '../events/outbox.ts';
import { HealthRegistry } from '../health/health.registry.ts';
import { clientsOf } from '../nats/calls.ts';
import { OPS_OPTIONS, OpsServer } from '../health/ops.server.ts';
import { RpcModule } from '../rpc/rpc.module.ts';
import { loggerModule, type AccessFields } from '../telemetry/logger.ts';
import { SERVICE_INFO, type ServiceInfo } from '../process/service-info.ts';

/** Set by the release; a checkout runs as this. */
export const VERSION = '0.1.0';

export interface ServiceOptions {
  name: string;
  config: CommonConfig;
  /** {@link Outbox} for a service that keeps its events in its database until they are out. */
  outbox?: Type<Outbox>;
  access?: AccessFields;
}

/** What every process stands on: logs, health, metrics, calls, events. */
@Module({})
export class ServiceModule {
  static forRoot({ name, config, outbox, access }: ServiceOptions): DynamicModule {
    const production = config.NODE_ENV === 'production';
    const info: ServiceInfo = { name, version: VERSION, nats: config, callers: config, production };
    return {
      module: ServiceModule,
      global: true,
      imports: [
        loggerModule(name, config, access),
        RpcModule.forRoot({ clients: clientsOf(name) }),
        EventsModule.forRoot({ outbox }),
      ],
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
