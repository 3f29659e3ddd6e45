import { z } from 'zod';
import { flagSchema, fraction, oneOf, originLike, textOf, wholeNumber } from './forms.ts';

const DEVICE_DOMAIN = 'expected a host name, with :port if it is not the usual one, such as devices.example.com';

const port = wholeNumber(0, 65_535, 9080);

export { flagSchema };

/** A public origin, `https://hub.example.com`; paths and queries are refused. */
export const originSchema = originLike('https://hub.example.com');

/** The domain of devices' host names, `devices.hub.example.com`. */
export const deviceDomainSchema = z
  .string(DEVICE_DOMAIN)
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/, DEVICE_DOMAIN);

/** The settings of every process: logs, health, metrics and the message bus. */
export const commonConfig = z.object({
  NODE_ENV: oneOf('production', 'development', 'test').default('production'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  /** Health and metrics; never the public address. */
  OPS_HOST: z.string().default('127.0.0.1'),
  OPS_PORT: port.default(9080),
  /** Where spans are sent by OTLP over HTTP; without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'expected http://host:port or https://host, such as http://collector:4318' })
    .optional(),
  /** The sampled share of traces, 0 to 1; the same for all services. */
  OTEL_TRACES_SAMPLER_ARG: fraction(0.1).default(1),
  /** One server of the cluster or several, separated by commas. */
  NATS_URL: textOf(
    /^(nats|tls):\/\/[^,\s]+(,\s*((nats|tls):\/\/)?[^,\s/]+\/?)*$/,
    'expected nats://host:port or tls://host:port, several separated by commas, such as nats://nats:4222',
  ),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  /** Ed25519 private key that signs this service's calls: PKCS #8, as PEM or base64. */
  CALLER_KEY: z.string().optional(),
  /** Public keys of all services, `name=base64` each; a service may have several. With them only signed calls are answered. */
  CALLER_KEYS: z.string().optional(),
  /** Whether to refuse unsigned calls; `accept` while older services that do not sign are being replaced. */
  UNSIGNED_CALLS: oneOf('refuse', 'accept').default('refuse'),
  /** PEM file of the authority of the server's certificate, if the system does not know it. */
  NATS_CA_FILE: z.string().optional(),
  /** PEM files of this process's certificate and key, if the server requires one. */
  NATS_CERT_FILE: z.string().optional(),
  NATS_KEY_FILE: z.string().optional(),
});
export type CommonConfig = z.output<typeof commonConfig>;

const NODES = 'expected host:port, several separated by commas, such as redis-0:26379,redis-1:26379';
const nodes = z
  .string()
  .transform((text) => text.split(',').map((node) => node.trim()))
  .pipe(z.array(z.string().regex(/^[^\s:/@]+:\d{1,5}$|^\[[\da-f:]+\]:\d{1,5}$/i, NODES)).min(1));

export const redisConfig = z.object({
  /** May contain user, password and database number. In `sentinel` mode its host is the master set's name. */
  REDIS_URL: textOf(/^rediss?:\/\//, 'expected redis://host:port or rediss://host:port, such as redis://redis:6379'),
  REDIS_MODE: oneOf('standalone', 'sentinel', 'cluster').default('standalone'),
  /** The sentinels; in the mode `cluster` further nodes to begin with. */
  REDIS_NODES: nodes.optional(),
  REDIS_USER: z.string().optional(),
  /** As it is, where an address would need it percent-encoded. */
  REDIS_PASSWORD: z.string().optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  /** PEM file of whom the servers' certificates are of; for `rediss`. */
  REDIS_CA_FILE: z.string().optional(),
});
export type RedisConfig = z.output<typeof redisConfig>;

export const databaseConfig = z.object({
  DATABASE_URL: textOf(
    /^postgres(ql)?:\/\//,
    'expected postgres://user:password@host:port/database, such as postgres://warren_identity:…@db:5432/warren',
  ),
  /** As it is, where an address would need it percent-encoded. */
  DATABASE_PASSWORD: z.string().optional(),
  /** PEM file of whom the server's certificate is of: with it the connection is TLS, and host and certificate must agree. */
  DATABASE_CA_FILE: z.string().optional(),
  /** Connections that this process may hold open. */
  DATABASE_POOL: wholeNumber(1, 200, 10).default(10),
});

export type DatabaseConfig = z.output<typeof databaseConfig>;

/** Where a public HTTP listener listens. */
export const listenConfig = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
});

/** How to reach the bus, and as whom. */
export type NatsConfig = Pick<
  CommonConfig,
  'NATS_URL' | 'NATS_USER' | 'NATS_PASSWORD' | 'NATS_CA_FILE' | 'NATS_CERT_FILE' | 'NATS_KEY_FILE'
>;

/** What a process signs its calls with, and which callers it accepts. */
export type CallerConfig = Pick<CommonConfig, 'CALLER_KEY' | 'CALLER_KEYS' | 'UNSIGNED_CALLS'>;
