import { z } from 'zod';
import { readEnvironment } from '../environment.ts';

/** Where the API server is and who asks, as every pod of a cluster has it. */
export interface ClusterConfig {
  /** `https://host:port`. */
  server: string;
  namespace: string;
  /** File with the token of the service account; Kubernetes renews it. */
  tokenFile: string;
}

/** The Secret of bundled servers. */
export interface BundledConfig {
  name: string;
  /** Services with a key for their calls. */
  services: readonly string[];
  /** Users of NATS and Redis. */
  users: readonly string[];
  /** `host:port` of the bundled PostgreSQL. */
  database: string;
  /** Version of the chart. */
  version: string;
}

/** The Secret of the identity provider of `helm test`. */
export interface IdentityConfig {
  name: string;
  /** Host name of the hub. */
  hub: string;
}

export interface SecretsConfig {
  cluster: ClusterConfig;
  bundled: BundledConfig | undefined;
  identity: IdentityConfig | undefined;
  /** Labels and annotations of a Secret that is created. */
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

const name = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'expected the name of a Secret, such as warren-bundled');
const names = z
  .string()
  .regex(/^[a-z]+(,[a-z]+)*$/, 'expected names with commas, such as gateway,identity')
  .transform((text) => text.split(','));
const texts = z
  .string()
  .default('{}')
  .transform((text, context) => {
    const parsed = z.record(z.string(), z.string()).safeParse(parsedJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'expected a JSON object of strings' });
    return z.NEVER;
  });

const schema = z
  .object({
    KUBERNETES_SERVICE_HOST: z.string(),
    KUBERNETES_SERVICE_PORT: z.coerce.number().int().min(1).max(65535),
    NAMESPACE: name,
    TOKEN_FILE: z.string().startsWith('/'),
    BUNDLED_SECRET: name.optional(),
    SERVICES: names.default([]),
    USERS: names.default([]),
    DATABASE: z.string().default(''),
    CHART_VERSION: z.string().default(''),
    IDENTITY_SECRET: name.optional(),
    HUB_HOST: z.string().default(''),
    LABELS: texts,
    ANNOTATIONS: texts,
  })
  .superRefine((given, context) => {
    const needed = [
      ...(given.BUNDLED_SECRET ? (['SERVICES', 'USERS', 'DATABASE', 'CHART_VERSION'] as const) : []),
      ...(given.IDENTITY_SECRET ? (['HUB_HOST'] as const) : []),
    ];
    for (const path of needed) {
      if (given[path].length === 0) context.addIssue({ code: 'custom', path: [path], message: 'expected a value' });
    }
  });

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A URL has an address of IPv6 in brackets (RFC 3986, 3.2.2). */
const hostOf = (host: string) => (host.includes(':') ? `[${host}]` : host);

/**
 * Reads the configuration from the environment; empty values count as not given.
 * @throws Error that names each variable that is missing or wrong
 */
export function readConfig(environment: NodeJS.ProcessEnv): SecretsConfig {
  const data = readEnvironment(schema, environment);
  return {
    cluster: {
      server: `https://${hostOf(data.KUBERNETES_SERVICE_HOST)}:${data.KUBERNETES_SERVICE_PORT}`,
      namespace: data.NAMESPACE,
      tokenFile: data.TOKEN_FILE,
    },
    bundled: data.BUNDLED_SECRET
      ? {
          name: data.BUNDLED_SECRET,
          services: data.SERVICES,
          users: data.USERS,
          database: data.DATABASE,
          version: data.CHART_VERSION,
        }
      : undefined,
    identity: data.IDENTITY_SECRET ? { name: data.IDENTITY_SECRET, hub: data.HUB_HOST } : undefined,
    labels: data.LABELS,
    annotations: data.ANNOTATIONS,
  };
}
