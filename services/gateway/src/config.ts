import {
  commonConfig,
  deviceDomainSchema,
  listenConfig,
  originSchema,
  redisConfig,
} from '@warren/platform/config/common';
import { textOf } from '@warren/platform/config/forms';
import ipaddr from 'ipaddr.js';
import { resolve } from 'node:path';
import { z } from 'zod';
import { authShape } from './auth/config/auth.config.ts';
import { accessLogSchema } from './http/access.log.ts';
import { rateLimitsSchema } from './http/rate.limits.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** `No`, a number of proxies in front, or the addresses of those that may name the client (express `trust proxy`). */
const trustProxy = z
  .string()
  .default('No')
  .transform((text): false | number | string[] => {
    if (/^(no|false|off)$/i.test(text)) return false;
    if (/^\d{1,2}$/.test(text)) return Number(text) || false;
    return text.split(',').map((address) => address.trim());
  })
  .refine((value) => !Array.isArray(value) || value.every(isProxy), {
    message:
      'expected No, a number of proxies, or addresses and networks separated by commas, such as loopback,10.0.0.0/8',
  });

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  // `100` would be an address too, 0.0.0.100.
  return /[.:]/.test(text) && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text));
}

/** Raw Ed25519 public key, base64. */
export const releaseKeySchema = textOf(
  /^[A-Za-z\d+/]{43}=$/,
  'expected an Ed25519 public key: 32 bytes in base64, such as the one in release-key.pub',
);

/** Several of these, with commas. */
const releaseKeysSchema = textOf(
  /^[A-Za-z\d+/]{43}=(,[A-Za-z\d+/]{43}=)*$/,
  'expected Ed25519 public keys with commas: each 32 bytes in base64, such as the one in release-key.pub',
);

/** The gateway's environment. */
export const gatewayConfig = commonConfig.extend({
  ...redisConfig.shape,
  ...listenConfig.shape,
  ...authShape,
  PORT: listenConfig.shape.PORT.default(8080),
  /** Host names `{slug}.{DEVICE_DOMAIN}` show the web services of devices. */
  DEVICE_DOMAIN: deviceDomainSchema.default('devices.localhost:8080'),
  /** Whose pages may send resize messages to the console, besides the device's own. */
  STUDIO_ORIGIN: originSchema.optional(),
  /** The built console. */
  CONSOLE_DIR: z.string().default(`${ROOT}/web/dist`),
  /** `manifest.json` and the packages of the agent that it names. */
  AGENT_PACKAGES_DIR: z.string().default(`${ROOT}/agent/dist/packages`),
  /** Further releases of the agent, a folder for each, to be offered to devices: signed by one of the same keys. */
  AGENT_RELEASES_DIR: z.string().optional(),
  /** The keys that releases of the agent are signed with; by default those in `release-key.pub` and `release-keys.pub` beside the first. */
  AGENT_RELEASE_KEY: releaseKeysSchema.optional(),
  /** Template of the script that a device runs to enrol. */
  AGENT_INSTALLER: z.string().default(`${ROOT}/agent/packaging/install.sh`),
  /** Proxies whose `X-Forwarded-For` names the client; none by default. */
  TRUST_PROXY: trustProxy,
  /** How much the access log says of people. */
  ACCESS_LOG: accessLogSchema.default('full'),
  /** How often one address may call the public routes, and how many invitations go out. */
  RATE_LIMITS: rateLimitsSchema,
});
export type GatewayConfig = z.output<typeof gatewayConfig>;

/** Injects the gateway's configuration. */
export const GATEWAY_CONFIG = Symbol('GatewayConfig');
