import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { isIP, type LookupFunction } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { certificateExpiry, certificateIssued } from './metrics.ts';

const EVERY_MS = 3_600_000;
const TIMEOUT_MS = 5_000;
/** A slug that no device has. */
const PAGE = 'certificate-check';

/** The hub's certificate, or that of devices' web services. */
type Whose = 'hub' | 'devices';

/**
 * Measures when the certificates at the hub's public address and at the hosts of web services expire, wherever TLS ends. A proxy that
 * gets a certificate per host has none for an unused host: then it is not measured, and the proxy renews each certificate.
 */
@Injectable()
export class HubCertificate implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(HubCertificate.name);
  private readonly sockets = new Set<TLSSocket>();
  private readonly rounds = new Rounds({
    of: HubCertificate.name,
    everyMs: EVERY_MS,
    failed: "The hub's certificate could not be read at its public address",
    round: () => this.look(),
  });

  /** Resolves a host name to an address. */
  protected readonly lookup: LookupFunction = lookup;

  constructor(@Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL' | 'DEVICE_DOMAIN'>) {}

  onApplicationBootstrap(): void {
    if (!this.config.HUB_URL.startsWith('https:')) return;
    this.rounds.start();
    void this.rounds.now();
  }

  async onApplicationShutdown(): Promise<void> {
    for (const socket of this.sockets) socket.destroy(new Error('The process ends.'));
    await this.rounds.stop();
  }

  /** @throws Error without a certificate of the hub within 5 s */
  private async look(): Promise<void> {
    const page = new URL(`https://${PAGE}.${this.config.DEVICE_DOMAIN}`);
    const ofPages = this.measure('devices', page).catch((error: Error) =>
      this.log.debug({ reason: error.message }, 'No certificate for pages of devices was seen.'),
    );
    await Promise.all([this.measure('hub', new URL(this.config.HUB_URL)), ofPages]);
  }

  private async measure(of: Whose, { hostname, port }: URL): Promise<void> {
    const host = hostname.replace(/^\[|\]$/g, '');
    // Accepts untrusted certificates, whose expiry matters too; sends no data.
    const to = {
      host,
      port: Number(port || 443),
      rejectUnauthorized: false,
      lookup: this.lookup,
      ...(isIP(host) ? {} : { servername: host }),
    };
    const socket = connect(to);
    this.sockets.add(socket);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    try {
      await once(socket, 'secureConnect');
      const certificate = new X509Certificate(socket.getPeerCertificate().raw);
      certificateIssued.set({ of }, certificate.validFromDate.getTime() / 1_000);
      certificateExpiry.set({ of }, certificate.validToDate.getTime() / 1_000);
    } finally {
      this.sockets.delete(socket);
      socket.destroy();
    }
  }
}
