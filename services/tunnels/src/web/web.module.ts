import { Module } from '@nestjs/common';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { SocketsModule } from '../sockets/sockets.module.ts';
import { WebEntry } from './web.entry.ts';
import { WebGrants } from './web.grants.ts';
import { WebPages } from './web.pages.ts';
import { WebPassing } from './web.passing.ts';
import { WebRights } from './web.rights.ts';
import { WebServer } from './web.server.ts';
import { WebSessions } from './web.sessions.ts';
import { WEB_HOSTS } from './web.tokens.ts';

/** The web pages of devices, each on a host of its own. */
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
    WebPages,
    WebPassing,
    WebRights,
    WebServer,
    WebSessions,
  ],
  exports: [WebServer],
})
export class WebModule {}
