import { Module, type OnModuleInit } from '@nestjs/common';
import { SessionTrail } from '../sockets/session.trail.ts';
import { Links } from '../links/links.ts';
import { UsageMeter } from '../metering/usage.meter.ts';
import { SocketServer } from '../sockets/socket.server.ts';
import { SocketsModule } from '../sockets/sockets.module.ts';
import { TerminalSocket } from './terminal.socket.ts';

/** Terminals: browsers' sockets on one side, agents' terminals on the other. */
@Module({ imports: [SocketsModule] })
export class TerminalModule implements OnModuleInit {
  constructor(
    private readonly sockets: SocketServer,
    private readonly links: Links,
    private readonly meter: UsageMeter,
    private readonly trail: SessionTrail,
  ) {}

  onModuleInit(): void {
    const { links, meter, trail } = this;
    this.sockets.serve('terminal', (socket, grant) => new TerminalSocket(socket, grant, { links, meter, trail }));
  }
}
