import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { certificateExpiry, certificateIssued } from './metrics.ts';

const EVERY_MS = 3_600_000;
const TIMEOUT_MS = 5_000;

/** Measures when the certificate expires that browsers and agents get at the hub's public address, whatever ends TLS there. */
@Injectable()
export class HubCertificate implements OnApplicationBootstrap, OnApplicationShutdown {
  private socket: TLSSocket | undefined;
  private readonly rounds = new Rounds({
    of: HubCertificate.name,
    everyMs: EVERY_MS,
    failed: "The hub's certificate could not be read at its public address",
    round: () => this.look(),
  });

  constructor(@Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL'>) {}

  onApplicationBootstrap(): void {
    if (!this.config.HUB_URL.startsWith('https:')) return;
    this.rounds.start();
    void this.rounds.now();
  }

  async onApplicationShutdown(): Promise<void> {
    this.socket?.destroy(new Error('The process ends.'));
    await this.rounds.stop();
  }

  /** @throws Error when nothing answers with a certificate within 5 s */
  private async look(): Promise<void> {
    const { hostname, port } = new URL(this.config.HUB_URL);
    const host = hostname.replace(/^\[|\]$/g, '');
    // One that nobody trusts expires all the same; nothing is said to the other side.
    const to = {
      host,
      port: Number(port || 443),
      rejectUnauthorized: false,
      ...(isIP(host) ? {} : { servername: host }),
    };
    const socket = (this.socket = connect(to));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    try {
      await once(socket, 'secureConnect');
      const certificate = new X509Certificate(socket.getPeerCertificate().raw);
      certificateIssued.set(certificate.validFromDate.getTime() / 1_000);
      certificateExpiry.set(certificate.validToDate.getTime() / 1_000);
    } finally {
      socket.destroy();
    }
  }
}
