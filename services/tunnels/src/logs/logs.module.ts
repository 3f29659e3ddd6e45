import { Module, type OnModuleInit } from '@nestjs/common';
import { SessionTrail } from '../sockets/session.trail.ts';
import { Links } from '../links/links.ts';
import { SocketServer } from '../sockets/socket.server.ts';
import { SocketsModule } from '../sockets/sockets.module.ts';
import { LogsSocket } from './logs.socket.ts';

/** Live journals of devices: browsers' sockets on one side, the agents that read them on the other. */
@Module({ imports: [SocketsModule] })
export class LogsModule implements OnModuleInit {
  constructor(
    private readonly sockets: SocketServer,
    private readonly links: Links,
    private readonly trail: SessionTrail,
  ) {}

  onModuleInit(): void {
    this.sockets.serve(
      'logs',
      (socket, grant) => new LogsSocket(socket, grant, { links: this.links, trail: this.trail }),
    );
  }
}
