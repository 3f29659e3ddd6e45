import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OpsServer } from '@warren/platform/health/ops.server';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { WebDestinations } from './web.destinations.ts';

/**
 * Tells a proxy in front, such as Caddy with on-demand TLS, whether to get a certificate for a host: yes for the hub and for the
 * address of a device. Asked on the operators' address: `GET /certificate-hosts?domain=…`.
 */
@Injectable()
export class CertificateHosts implements OnModuleInit {
  private readonly hub: string;
  private readonly hosts: DeviceHosts;

  constructor(
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
    private readonly destinations: WebDestinations,
    private readonly ops: OpsServer,
  ) {
    this.hub = new URL(config.HUB_URL).hostname;
    // A certificate is for a name, whatever the port.
    this.hosts = new DeviceHosts(config.HUB_URL, config.DEVICE_DOMAIN.replace(/:\d+$/, ''));
  }

  onModuleInit(): void {
    this.ops.answer('/certificate-hosts', async (query) => this.isOurs(query.get('domain') ?? ''));
  }

  private async isOurs(domain: string): Promise<boolean> {
    if (domain === this.hub) return true;
    const slug = this.hosts.slugOf(domain);
    return slug !== undefined && this.destinations.knows(slug);
  }
}
