import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);

/** A TCP port; 0 lets the system choose. */
export const portSchema = port;

/** The origin of a public address, `https://hub.example.com`; paths and queries are refused. */
export const originSchema = z
  .url({ protocol: /^https?$/, error: 'expected http://host or https://host', abort: true })
  .refine((text) => new URL(text).pathname === '/' && !new URL(text).search, 'expected an origin without a path')
  .transform((text) => new URL(text).origin);

/** What the host names of devices end with, `devices.hub.example.com`. */
export const deviceDomainSchema = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/, 'expected a host name, with :port if it is not the usual one');

/** `Yes`/`true`/`1` or `No`/`false`/`0`. */
export const flagSchema = z.stringbool();

/** What every process has: where it logs, where its operators look, where the message bus is. */
export const commonConfig = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Health and metrics; never the public address. */
  OPS_HOST: z.string().default('127.0.0.1'),
  OPS_PORT: port.default(9080),
  /** Where spans are sent by OTLP over HTTP; without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'expected http://host:port or https://host' })
    .optional(),
  /** Which part of the traces is kept, 0 to 1; the same for all services. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  NATS_URL: z.string().regex(/^(nats|tls):\/\//, 'expected nats://host:port or tls://host:port'),
});
export type CommonConfig = z.output<typeof commonConfig>;

export const redisConfig = z.object({
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'expected redis://host:port or rediss://host:port'),
});

export const databaseConfig = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'expected postgres://user:password@host:port/database'),
  /** Connections that this process may hold open. */
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
});

/** Where a public HTTP listener listens. */
export const listenConfig = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
});
