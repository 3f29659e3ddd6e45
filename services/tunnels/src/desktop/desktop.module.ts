import { Module, type OnModuleInit } from '@nestjs/common';
import { SessionTrail } from '../sockets/session.trail.ts';
import { Credentials } from '../links/credentials.ts';
import { Links } from '../links/links.ts';
import { UsageMeter } from '../metering/usage.meter.ts';
import { SocketServer } from '../sockets/socket.server.ts';
import { RecordedDesktops } from '../recordings/recorded.desktops.ts';
import { RecordingsModule } from '../recordings/recordings.module.ts';
import { SocketsModule } from '../sockets/sockets.module.ts';
import { DesktopSocket } from './desktop.socket.ts';

/** Desktops: browsers' sockets on one side, devices' VNC servers on the other. */
@Module({ imports: [SocketsModule, RecordingsModule] })
export class DesktopModule implements OnModuleInit {
  constructor(
    private readonly sockets: SocketServer,
    private readonly links: Links,
    private readonly credentials: Credentials,
    private readonly meter: UsageMeter,
    private readonly trail: SessionTrail,
    private readonly recorded: RecordedDesktops,
  ) {}

  onModuleInit(): void {
    const { links, credentials, meter, trail, recorded } = this;
    const parts = { links, credentials, meter, trail, recorded };
    this.sockets.serve('desktop', (socket, grant) => new DesktopSocket(socket, grant, parts));
  }
}
