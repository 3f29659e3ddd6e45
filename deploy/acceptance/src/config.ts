import { z } from 'zod';

const origin = z.url({ protocol: /^https?$/, error: 'expected http://host or https://host' });

const schema = z.object({
  /** Internal address of the gateway. */
  GATEWAY_URL: origin,
  /** Internal address of a replica of tunnels. */
  TUNNELS_URL: origin,
  /** Comma-separated URLs of the services' readiness. */
  READY_URLS: z.string().transform((text) => text.split(',').filter(Boolean)),
  HUB_HOST: z.string().min(1),
  DEVICE_DOMAIN: z.string().min(1),
  /** Whether agents are routed to tunnels instead of the gateway. */
  AGENTS_DIRECT: z.stringbool().default(true),
  /** Whether browsers' sockets are routed to tunnels. */
  SOCKETS_DIRECT: z.stringbool().default(true),
  TIMEOUT_SECONDS: z.coerce.number().int().min(10).max(3600),
  /** Folder shared with the container that keeps the test account. Without it, sign-in is not tested. */
  TEST_FOLDER: z.string().startsWith('/').optional(),
  /** Folder with the key, certificate and metadata of the test's identity provider. */
  IDENTITY_FOLDER: z.string().startsWith('/').default('/etc/warren/test-identity'),
});

export type AcceptanceConfig = z.output<typeof schema>;

/** @throws Error that names each wrong variable and what was expected */
export function readConfig(env: NodeJS.ProcessEnv): AcceptanceConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `${name} ${given[name] === undefined ? 'is missing' : `is ${JSON.stringify(given[name])}`}: ${message}`;
  });
  throw new Error(problems.join('\n'));
}
