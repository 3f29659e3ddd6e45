import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { HealthRegistry } from '../health/health.registry.ts';
import { inboxOf } from '../nats/calls.ts';
import { natsServers } from '../nats/nats.servers.ts';
import { SERVICE_INFO, type ServiceInfo } from '../process/service-info.ts';

/**
 * The process's one connection to NATS. It waits for a server that is not up yet, and reconnects for ever; `ready`: whether a message
 * would leave now.
 */
@Injectable()
export class NatsLink implements OnApplicationShutdown {
  private readonly log = new Logger(NatsLink.name);
  private connected = false;

  private constructor(
    readonly connection: NatsConnection,
    health: HealthRegistry,
  ) {
    this.connected = true;
    health.add('nats', async () => {
      if (!this.connected) throw new Error('not connected');
      await this.connection.flush();
    });
    void this.watch();
  }

  static async open(info: ServiceInfo, health: HealthRegistry): Promise<NatsLink> {
    const connection = await connect({
      ...natsServers(info.nats),
      name: info.name,
      // Separate inboxes per service, so that each can be denied the responses of the others.
      inboxPrefix: inboxOf(info.name),
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      // A password that is refused now may be the server's that is wrong, and put right.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      pingInterval: 5_000,
      maxPingOut: 2,
      // Two stacks of each call, in case it fails, are a part of what it takes; the error names the call without them.
      noAsyncTraces: true,
    });
    return new NatsLink(connection, health);
  }

  get ready(): boolean {
    return this.connected;
  }

  async onApplicationShutdown(): Promise<void> {
    // A drain waits for a server that may never return, so it gets a moment only.
    await Promise.race([
      this.connection.drain().catch(() => {}),
      new Promise((done) => setTimeout(done, 2_000).unref()),
    ]);
    await this.connection.close();
  }

  private async watch(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        this.connected = false;
        this.log.warn('NATS is gone; reconnecting.');
      } else if (status.type === 'reconnect') {
        this.connected = true;
        this.log.log('NATS is back.');
      }
    }
  }
}

export const natsLinkProvider = {
  provide: NatsLink,
  inject: [SERVICE_INFO, HealthRegistry],
  useFactory: (info: ServiceInfo, health: HealthRegistry) => NatsLink.open(info, health),
};
