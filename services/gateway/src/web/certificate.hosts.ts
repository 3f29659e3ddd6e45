import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { OpsServer } from '@warren/platform/health/ops.server';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';

/**
 * Tells a proxy in front, such as Caddy with on-demand TLS, whether to get a certificate for a host: yes for the hub and for the
 * address of a device. Asked on the operators' address: `GET /certificate-hosts?domain=…`.
 */
@Injectable()
export class CertificateHosts implements OnModuleInit {
  private readonly hub: string;
  private readonly hosts: DeviceHosts;

  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
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
    return slug !== undefined && (await this.hasDevice(slug));
  }

  private async hasDevice(slug: string): Promise<boolean> {
    try {
      return (await this.devices.findWebPage(serviceCaller('gateway'), { slug })).deviceId !== '';
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return false;
      throw error;
    }
  }
}
