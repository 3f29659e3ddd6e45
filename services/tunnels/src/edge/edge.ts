import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { refuse } from '@warren/platform/http/refuse';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AgentEndpoint } from '../links/agent.endpoint.ts';
import { SocketServer } from '../sockets/socket.server.ts';
import type { Upgrade } from './upgrade.ts';

/** The data plane's door: agents and browsers come as HTTP upgrades, told apart by their path. */
@Injectable()
export class Edge implements OnApplicationBootstrap {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly agents: AgentEndpoint,
    private readonly sockets: SocketServer,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => {});
      void this.route({ request, socket, head });
    });
  }

  private async route(upgrade: Upgrade): Promise<void> {
    const path = (upgrade.request.url ?? '').split('?', 1)[0];
    if (path === '/agent/connect') return this.agents.dial(upgrade);
    if (path === '/socketsio' || path === '/socketsio/') return this.sockets.upgrade(upgrade);
    return refuse(upgrade.socket, { status: 404, code: 'not_found', message: `Nothing is at ${path}.` });
  }
}
