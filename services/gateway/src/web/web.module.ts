import { Module, type DynamicModule } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { GuestAccess } from '../guests/guest.access.ts';
import { CertificateHosts } from './certificate.hosts.ts';
import { VisitController } from './visit.controller.ts';
import { WebController } from './web.controller.ts';
import { WebService } from './web.service.ts';

/** The hub's part in the web services of devices: who is let in. */
@Module({})
export class WebModule {
  static forRoot(config: GatewayConfig): DynamicModule {
    const services = [GuestAccess, WebService];
    const providers = [{ provide: GATEWAY_CONFIG, useValue: config }, CertificateHosts, ...services];
    return { module: WebModule, controllers: [VisitController, WebController], providers, exports: services };
  }
}
