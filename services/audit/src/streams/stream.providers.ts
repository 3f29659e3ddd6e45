import type { Provider } from '@nestjs/common';
import { Addresses } from '@warren/platform/outbound/addresses';
import { HookClient } from '@warren/platform/outbound/hook.client';
import { SecretBox } from '@warren/platform/secrets/secret.box';
import type { AuditConfig } from '../config.ts';
import { FileClient } from './delivery/file.client.ts';
import { Sender } from './delivery/sender.ts';
import { Streamer } from './delivery/streamer.ts';
import { SyslogClient } from './delivery/syslog.client.ts';
import { StreamSecrets } from './store/stream.secrets.ts';
import { StreamsService } from './settings/streams.service.ts';

/** Providers of streams of events to receivers. */
export function streamProviders(config: AuditConfig): Provider[] {
  const { HUB_URL: hub } = config;
  const addresses = new Addresses({ allowed: config.NOTIFY_PRIVATE_ADDRESSES, hub });
  const [hooks, syslog] = [new HookClient(addresses), new SyslogClient(addresses)];
  return [
    StreamSecrets,
    StreamsService,
    Streamer,
    { provide: SecretBox, useValue: new SecretBox(config.CHANNEL_KEY ?? []) },
    { provide: FileClient, useValue: new FileClient(config.AUDIT_STREAM_FOLDER) },
    {
      provide: Sender,
      inject: [StreamSecrets, FileClient],
      useFactory: (secrets: StreamSecrets, files: FileClient) =>
        new Sender({ hooks, syslog, files }, secrets, new URL(hub).hostname),
    },
  ];
}
