import { Module } from '@nestjs/common';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { SocketsModule } from '../sockets/sockets.module.ts';
import { WebPassing } from './web.connections.ts';
import { WebEntry } from './web.entry.ts';
import { WebGrants, WebRights } from './web.grants.ts';
import { WebServices, WEB_HOSTS } from './web.services.ts';
import { WebServer } from './web.server.ts';
import { WebSessions } from './web.sessions.ts';
import { WebVisits } from './web.session.ts';

/** The web services of devices, each on a separate host. */
@Module({
  imports: [SocketsModule],
  providers: [
    {
      provide: WEB_HOSTS,
      inject: [TUNNELS_CONFIG],
      useFactory: ({ HUB_URL, DEVICE_DOMAIN }: TunnelsConfig) => new DeviceHosts(HUB_URL, DEVICE_DOMAIN),
    },
    WebEntry,
    WebGrants,
    WebServices,
    WebPassing,
    WebRights,
    WebServer,
    WebSessions,
    WebVisits,
  ],
  exports: [WebServer, WebVisits],
})
export class WebModule {}
