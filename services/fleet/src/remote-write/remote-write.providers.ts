import type { Provider } from '@nestjs/common';
import { Addresses, EVERY_NETWORK } from '@warren/platform/outbound/addresses';
import { HookClient } from '@warren/platform/outbound/hook.client';
import { DeviceNames, HUB_NAME } from './device.names.ts';
import { RemoteWriteClient } from './remote-write.client.ts';
import { authorizationOf, type RemoteWriteConfig } from './remote-write.config.ts';
import { REMOTE_WRITE_CLIENT, REMOTE_WRITE_QUEUE, RemoteWrite } from './remote-write.ts';

const TIMEOUT_MS = 30_000;
/** A quarter of an hour of 10,000 devices, in one replica. */
const QUEUE_BYTES = 64 * 1024 * 1024;

/** Remote write to a metrics store: what the module of the process provides. */
export function remoteWrite(config: RemoteWriteConfig & { HUB_URL: string }): Provider[] {
  const { HUB_URL: hub, REMOTE_WRITE_URL: url } = config;
  const client = () => {
    if (url === undefined) return null;
    // The operator's own URL: it needs no network that is open to the webhooks of accounts.
    const hooks = new HookClient(new Addresses({ allowed: EVERY_NETWORK, hub }), TIMEOUT_MS);
    return new RemoteWriteClient(hooks, new URL(url), authorizationOf(config));
  };
  return [
    DeviceNames,
    RemoteWrite,
    { provide: HUB_NAME, useValue: new URL(hub).host },
    { provide: REMOTE_WRITE_CLIENT, useFactory: client },
    { provide: REMOTE_WRITE_QUEUE, useValue: QUEUE_BYTES },
  ];
}
