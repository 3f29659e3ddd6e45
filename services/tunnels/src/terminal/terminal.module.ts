import { Module, type OnModuleInit } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { Observing } from '../access/observing.ts';
import { KeptTerminals } from '../sockets/kept.terminals.ts';
import { SessionTrail } from '../sockets/session.trail.ts';
import { Links } from '../links/links.ts';
import { UsageMeter } from '../metering/usage.meter.ts';
import { RecordedTerminals } from '../recordings/recorded.terminals.ts';
import { RecordingsModule } from '../recordings/recordings.module.ts';
import { SocketServer } from '../sockets/socket.server.ts';
import { SocketsModule } from '../sockets/sockets.module.ts';
import { Rooms } from './rooms.ts';
import { TerminalSocket } from './terminal.socket.ts';

/** Terminals: browsers' sockets on one side, agents' terminals on the other. */
@Module({ imports: [AccessModule, SocketsModule, RecordingsModule], providers: [Rooms], exports: [Rooms] })
export class TerminalModule implements OnModuleInit {
  constructor(
    private readonly sockets: SocketServer,
    private readonly links: Links,
    private readonly meter: UsageMeter,
    private readonly trail: SessionTrail,
    private readonly rooms: Rooms,
    private readonly observing: Observing,
    private readonly kept: KeptTerminals,
    private readonly recorded: RecordedTerminals,
  ) {}

  onModuleInit(): void {
    const { links, meter, trail, rooms, observing, kept, recorded } = this;
    const parts = { links, meter, trail, rooms, observing, kept, recorded };
    this.sockets.serve('terminal', (socket, grant) => new TerminalSocket(socket, grant, parts));
  }
}
