import { Module, type OnModuleInit } from '@nestjs/common';
import { Links } from '../links/links.ts';
import { SocketServer } from '../sockets/socket.server.ts';
import { SocketsModule } from '../sockets/sockets.module.ts';
import { LogsSocket } from './logs.socket.ts';

/** The journals of devices, live: browsers' sockets on one side, agents that read them on the other. */
@Module({ imports: [SocketsModule] })
export class LogsModule implements OnModuleInit {
  constructor(
    private readonly sockets: SocketServer,
    private readonly links: Links,
  ) {}

  onModuleInit(): void {
    this.sockets.serve('logs', (socket, grant) => new LogsSocket(socket, grant, this.links));
  }
}
