import {
  commonConfig,
  deviceDomainSchema,
  listenConfig,
  originSchema,
  redisConfig,
} from '@warren/platform/config/common';
import { originLike, wholeNumber } from '@warren/platform/config/forms';
import { hostname } from 'node:os';
import { z } from 'zod';

const networks = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => /^([\da-f:.]+(\/\d{1,3})?|loopback|linklocal|uniquelocal)$/i.test(part)), {
    message:
      'expected addresses, networks, loopback, linklocal or uniquelocal, separated by commas, such as loopback,10.0.0.0/8',
  });

const count = (standard: number) => wholeNumber(1, 1_000_000, standard).default(standard);

const bytes = (standard: number) => wholeNumber(1 << 20, 2 ** 40, standard).default(standard);

/** The tunnels process's environment. */
export const tunnelsConfig = commonConfig.extend({
  ...redisConfig.shape,
  ...listenConfig.shape,
  PORT: listenConfig.shape.PORT.default(9090),
  OPS_PORT: commonConfig.shape.OPS_PORT.unwrap().default(9084),
  /** The address of this replica's data plane for gateways and other replicas; `{hostname}` expands to the hostname, which is unique per container. */
  ADVERTISED_URL: z
    .string()
    .default('http://127.0.0.1:9090')
    .transform((text) => text.replace('{hostname}', hostname()))
    .pipe(originLike('http://10.0.0.7:9090')),
  /** The public origin; also the audience of the agents' tokens. */
  HUB_URL: originSchema.default('http://localhost:8080'),
  /** Host names `{slug}.{DEVICE_DOMAIN}` show the web services of devices. */
  DEVICE_DOMAIN: deviceDomainSchema.default('devices.localhost:8080'),
  /** Whose X-Forwarded-For is believed: the ingress, gateways and other replicas. */
  TRUSTED_HOPS: networks.default(['loopback', 'uniquelocal', 'linklocal']),
  /** Agents that this replica holds at most. */
  MAX_LINKS: count(20_000),
  /** Browsers' sockets that this replica holds at most. */
  MAX_SOCKETS: count(2_000),
  /** Streams (sessions, connections, calls) that may be open to one device; and for people alone, to all devices of one account together. */
  MAX_DEVICE_STREAMS: count(320),
  MAX_ACCOUNT_STREAMS: count(4_096),
  /** Bytes from one device, and from one account, that may wait here unread; streams share them, down to 64 KiB for each. */
  MAX_DEVICE_BUFFER: bytes(32 << 20),
  MAX_ACCOUNT_BUFFER: bytes(256 << 20),
  /** Messages and small frames of one device, and of one account, in a second; half as many may come at once. */
  MAX_DEVICE_FRAMES: count(20_000),
  MAX_ACCOUNT_FRAMES: count(60_000),
  /** Agents that are checked at the same time; eight times as many may wait. */
  MAX_HANDSHAKES: count(64),
});
export type TunnelsConfig = z.output<typeof tunnelsConfig>;

export const TUNNELS_CONFIG = Symbol('TunnelsConfig');
