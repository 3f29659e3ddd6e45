import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Fault } from '@warren/platform/errors/fault';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { renderPage } from '@warren/platform/http/page';
import { divertRequests } from '@warren/platform/relay/divert';
import { passOn } from '@warren/platform/relay/header.lines';
import { relay, RelayFailed } from '@warren/platform/relay/relay';
import { ReplicaConnections } from '@warren/platform/relay/replica.connections';
import { askUpgrade, type Answer, type Upgrade } from '@warren/platform/relay/upgrade';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { PeerAddress } from './peer.address.ts';
import { webPassedLines } from './request.head.ts';
import { WebDestinations } from './web.destinations.ts';

/** Longer than tunnels waits for a device. */
const ANSWER_MS = 80_000;
const MAX_IDLE = 256;
/** Shorter than a replica keeps an idle connection. */
const IDLE_MS = 4_000;
const RETRY_S = 2;

/** Brings requests for devices' hosts to the tunnels replica that holds the device, which decides about them. */
@Injectable()
export class WebForwarder implements OnApplicationBootstrap {
  private readonly hosts: DeviceHosts;
  private readonly log = new Logger(WebForwarder.name);
  private readonly connections = new ReplicaConnections({ open: Infinity, idle: MAX_IDLE, idleMs: IDLE_MS });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly destinations: WebDestinations,
    private readonly address: PeerAddress,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.hosts = new DeviceHosts(config.HUB_URL, config.DEVICE_DOMAIN);
  }

  onApplicationBootstrap(): void {
    divertRequests(this.host.httpAdapter.getHttpServer() as Server, (request) => {
      const slug = this.hosts.slugOf(request.headers.host);
      return slug === undefined ? undefined : (response) => void this.forward(request, response, slug);
    });
  }

  /** The device's host that a `Host` header names; undefined for every other. */
  slugOf(host: string | undefined): string | undefined {
    return this.hosts.slugOf(host);
  }

  /** Asks the device's replica for an upgrade. @throws Fault `unavailable` */
  async ask(slug: string, upgrade: Upgrade): Promise<Answer> {
    const { request } = upgrade;
    const address = await this.destinations.of(slug);
    const passed = webPassedLines(request, this.address.of(request));
    const lines = [...passed, 'Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? ''];
    try {
      return await askUpgrade({ address, name: "The device's replica", path: request.url, lines }, upgrade);
    } catch (error) {
      this.destinations.forget(slug);
      throw error;
    }
  }

  /** Never rejects. */
  private async forward(request: IncomingMessage, response: ServerResponse, slug: string): Promise<void> {
    try {
      const address = await this.destinations.of(slug);
      await relay(request, response, {
        ...{ connections: this.connections.of(address), path: request.url ?? '/' },
        lines: webPassedLines(request, this.address.of(request)),
        answerMs: ANSWER_MS,
        answerLines: (lines) => passOn(lines),
      });
    } catch (error) {
      this.destinations.forget(slug);
      const told = error instanceof RelayFailed || error instanceof Fault;
      if (!told) this.log.error({ err: error }, 'A request for a web page could not be forwarded.');
      unavailable(request, response);
    }
  }
}

const TITLE = 'Not available';
const TEXT = 'The part of Warren that reaches this device does not answer now. Try again in a moment.';

function unavailable(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const person = (request.headers.accept ?? '').includes('text/html');
  const json = { statusCode: 503, code: 'unavailable', message: TEXT };
  const body = person
    ? renderPage({ title: TITLE, text: TEXT, links: [{ href: '', label: 'Try again' }] })
    : JSON.stringify(json);
  response.writeHead(503, {
    'Content-Type': person ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Retry-After': String(RETRY_S),
    Connection: 'close',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
