import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Fault } from '@warren/platform/errors/fault';
import { repairOversized } from '@warren/platform/http/oversized';
import { refusalOf, refuse } from '@warren/platform/http/refuse';
import { RECORDING_PATH } from '@warren/platform/recordings/channel';
import { divertRequests } from '@warren/transport/divert';
import { canReachWebSockets } from '@warren/transport/fastpath/engine.io';
import { checkFastPath } from '@warren/transport/fastpath/self.check';
import { Socket as EngineSocket } from 'engine.io';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { AgentEndpoint } from '../links/agent.endpoint.ts';
import { RecordingEndpoint } from '../recordings/recording.endpoint.ts';
import { SocketServer } from '../sockets/socket.server.ts';
import { WebServer } from '../web/web.server.ts';
import type { Upgrade } from '@warren/transport/upgrade';

/** The data plane's door: agents and sockets come as HTTP upgrades and are routed by path, web services of devices by host. */
@Injectable()
export class Edge implements OnApplicationBootstrap {
  private readonly log = new Logger(Edge.name);

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly agents: AgentEndpoint,
    private readonly sockets: SocketServer,
    private readonly web: WebServer,
    private readonly recordings: RecordingEndpoint,
    @Inject(TUNNELS_CONFIG) private readonly config: Pick<TunnelsConfig, 'HUB_URL'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const slow = await checkFastPath(() => canReachWebSockets(EngineSocket, WebSocket));
    if (slow) this.log.warn(slow);
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const { HUB_URL } = this.config;
    repairOversized(server, { label: 'Open again', secure: HUB_URL.startsWith('https:'), framedBy: HUB_URL });
    divertRequests(server, (request) => {
      const slug = this.web.slugOf(request);
      return slug === undefined ? undefined : (response) => void this.web.handle(request, response, slug);
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => {});
      void this.route({ request, socket, head });
    });
  }

  private async route(upgrade: Upgrade): Promise<void> {
    const slug = this.web.slugOf(upgrade.request);
    if (slug !== undefined) return this.web.upgrade(upgrade, slug);
    const path = (upgrade.request.url ?? '').split('?', 1)[0];
    if (path === '/agent/connect') return this.agents.dial(upgrade);
    if (path === '/socketsio' || path === '/socketsio/') return this.sockets.upgrade(upgrade);
    if (path === RECORDING_PATH) return this.recordings.upgrade(upgrade);
    return refuse(upgrade.socket, refusalOf(new Fault('not_found', `nothing is at ${path}.`)));
  }
}
