import { z } from 'zod';

const provider = z.object({
  id: z.string(),
  name: z.string().optional(),
  metadata: z.string().min(1),
  domains: z.array(z.string()).optional(),
});

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'expected a JSON array of {"id", "name", "metadata"}' });
    return z.NEVER;
  }
});

const file = z.string().min(1).optional();
const postgres = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'expected postgres://user:password@host:port/database')
  .optional();

const schema = z.object({
  HUB_URL: z.url({ protocol: /^https?$/, error: 'expected https://host' }).transform((text) => new URL(text).origin),
  DEVICE_DOMAIN: z.string().min(1).optional(),
  SAML_PROVIDERS: json.pipe(z.array(provider)).optional(),
  /** Seconds, as for the gateway. */
  SAML_CLOCK_TOLERANCE: z.coerce.number().int().min(0).max(300).default(60),
  /** Database URLs of the services with a schema; a schema without one is not checked. */
  IDENTITY_DATABASE_URL: postgres,
  TENANCY_DATABASE_URL: postgres,
  DEVICES_DATABASE_URL: postgres,
  FLEET_DATABASE_URL: postgres,
  AUDIT_DATABASE_URL: postgres,
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'expected redis://host:port or rediss://host:port')
    .optional(),
  REDIS_MODE: z.enum(['standalone', 'sentinel', 'cluster']).default('standalone'),
  /** The sentinels, or further nodes of a cluster. */
  REDIS_NODES: z
    .string()
    .transform((text) => text.split(',').map((node) => node.trim()))
    .pipe(z.array(z.string().regex(/:\d{1,5}$/, 'expected host:port, several with commas')))
    .optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  REDIS_USER: z.string().optional(),
  REDIS_PASSWORD: z.string().optional(),
  REDIS_CA_FILE: file,
  NATS_URL: z
    .string()
    .regex(/^(nats|tls):\/\//, 'expected nats://host:port or tls://host:port')
    .optional(),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_CA_FILE: file,
  /** The doctor's client certificate, if the server requires one. */
  NATS_CERT_FILE: file,
  NATS_KEY_FILE: file,
  DATABASE_CA_FILE: file,
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'expected smtp://host:port or smtps://host:port')
    .optional(),
  MAIL_FROM: z.string().optional(),
  /** Certificate authorities besides the system's, for the hub's certificate. */
  HUB_CA_FILE: file,
  /** Folder with the services' code, which contains their migrations. */
  SERVICES_DIR: file,
});

/** Settings of the installation: the variables of the services. */
export type Options = z.output<typeof schema>;

/** The settings have nothing to check. */
export class UsageError extends Error {}

/** @throws UsageError with each missing or wrong variable, without its value */
export function readOptions(environment: NodeJS.ProcessEnv): Options {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `${path.join('.')}: ${given[name] === undefined ? 'expected the services’ own value (came: not set)' : message}`;
  });
  throw new UsageError(lines.join('\n'));
}
