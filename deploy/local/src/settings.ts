import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parseEnvironment } from './config.ts';
import { isLoopback } from './loopback.ts';

/** The repository's folder. */
export const root = resolve(import.meta.dirname, '../../..');

/** The processes of the hub, by their folders in services/. */
export const services = ['identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels', 'gateway'] as const;

/** The process with all services, by its folder in services/. */
export const hub = 'hub';

/** Default ports of processes for Warren at 8080; another port shifts all of them. */
export const defaultPorts = {
  gateway: 8080,
  idp: 8081,
  mail: 8082,
  smtp: 8025,
  gatewayOps: 9080,
  identityOps: 9081,
  tenancyOps: 9082,
  devicesOps: 9083,
  tunnelsOps: 9084,
  fleetOps: 9085,
  auditOps: 9086,
  tunnels: 9090,
  postgres: 15432,
  redis: 16379,
  nats: 14222,
};

export type Ports = typeof defaultPorts;
export type PortName = keyof Ports;

/** Distance between the ports of consecutive replicas. */
const REPLICA_DISTANCE = 100;

/** Returns the ports of replica 1, 2, …; the first has those of the settings. */
export function portsOfReplica(ports: Ports, replica: number): Ports {
  const shift = (replica - 1) * REPLICA_DISTANCE;
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, port + shift])) as Ports;
}

/** Lists the replicas except the first of each. */
export function moreReplicas({ replicas }: Pick<Settings, 'replicas'>): { name: PortName; replica: number }[] {
  const names: [PortName[], number][] = [
    [['gateway', 'gatewayOps'], replicas.gateway],
    [['tunnels', 'tunnelsOps'], replicas.tunnels],
  ];
  return names.flatMap(([ports, count]) =>
    Array.from({ length: count - 1 }, (_, index) => ports.map((name) => ({ name, replica: index + 2 }))).flat(),
  );
}

/** Returns the variable that sets a port. */
export function portVariable(name: PortName): string {
  return name === 'gateway' ? 'WARREN_PORT' : `WARREN_PORT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

const port = z.coerce.number().int().min(1).max(65535);

/** With more than nine, ports of replicas would overlap with the next service's. */
const replicas = z.coerce.number().int().min(1).max(9).default(1);

const seconds = z.coerce.number().int().min(1).optional();

const schema = z.object({
  WARREN_HOME: z.string().min(1).default('.warren'),
  WARREN_HOST: z.string().min(1).default('127.0.0.1'),
  WARREN_PORT: port.default(defaultPorts.gateway),
  WARREN_GATEWAY_REPLICAS: replicas,
  WARREN_TUNNELS_REPLICAS: replicas,
  WARREN_SERVICES: z.enum(['together', 'apart']).optional(),
  WARREN_SESSION_IDLE_SECONDS: seconds,
  WARREN_SESSION_ABSOLUTE_SECONDS: seconds,
  WARREN_ROLLOUT_TRIAL_SECONDS: seconds,
  WARREN_SAML_DOMAINS: z
    .string()
    .transform((text) => text.split(','))
    .optional(),
  WARREN_OIDC_PROVIDERS: z.string().optional(),
  WARREN_URL: z.url({ protocol: /^https?$/ }).optional(),
  WARREN_DEVICE_DOMAIN: z.string().min(1).optional(),
  WARREN_OTLP_URL: z.url({ protocol: /^https?$/ }).optional(),
  WARREN_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  WARREN_REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  WARREN_NATS_URL: z.url({ protocol: /^(nats|tls)$/ }).optional(),
});

/** The settings of a local start. */
export interface Settings {
  /** Data, logs and keys. */
  home: string;
  /** Listening address of the gateway and the sign-in; everything else listens on loopback. */
  host: string;
  /** The public origin. */
  hubUrl: string;
  /** Domain of the hosts of web services, with its port. */
  deviceDomain: string;
  idpUrl: string;
  mailUrl: string;
  ports: Ports;
  /** Numbers of replicas; other processes run once. */
  replicas: { gateway: number; tunnels: number };
  /** Whether the services share a process. */
  together: boolean;
  /** Lifetime of browser sessions in seconds; defaults to the service's. */
  sessions: { idle: number | undefined; absolute: number | undefined };
  /** Duration of trials in rollouts in seconds; defaults to the service's. */
  rolloutTrial: number | undefined;
  /** Providers besides the development sign-in, and the e-mail domains that are left to that one. */
  signIn: { samlDomains: string[] | undefined; oidcProviders: string | undefined };
  /** Target of the services' spans, if any. */
  otlp: string | undefined;
  /** URLs of external servers instead of private ones; the database's is an administrator's. */
  given: { postgres?: string | undefined; redis?: string | undefined; nats?: string | undefined };
}

function portsOf(environment: NodeJS.ProcessEnv, gateway: number): Ports {
  const shift = gateway - defaultPorts.gateway;
  const names = Object.keys(defaultPorts) as PortName[];
  const wanted = names.map((name) => {
    const variable = portVariable(name);
    return [variable, environment[variable] ?? String(defaultPorts[name] + shift)] as const;
  });
  const schemas = z.object(Object.fromEntries(wanted.map(([variable]) => [variable, port])));
  const ports = parseEnvironment(schemas, Object.fromEntries(wanted));
  return Object.fromEntries(names.map((name) => [name, ports[portVariable(name)]])) as Ports;
}

/** @throws Error for replicas of services that share a process */
function togetherIn(asked: 'together' | 'apart' | undefined, { gateway, tunnels }: Settings['replicas']): boolean {
  const single = gateway === 1 && tunnels === 1;
  if (asked === 'together' && !single)
    throw new Error('WARREN_SERVICES: expected apart with replicas of the gateway or of tunnels (came: together)');
  return asked ? asked === 'together' : single;
}

/**
 * Reads the settings from WARREN_* variables.
 * @throws Error with the wrong value
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const env = parseEnvironment(schema, environment);
  const ports = portsOf(environment, env.WARREN_PORT);
  if (!isLoopback(env.WARREN_HOST) && !env.WARREN_URL) {
    throw new Error(
      `WARREN_URL: needed when WARREN_HOST is ${env.WARREN_HOST}, such as http://192.168.1.5:${ports.gateway}`,
    );
  }
  const replicas = { gateway: env.WARREN_GATEWAY_REPLICAS, tunnels: env.WARREN_TUNNELS_REPLICAS };
  const hubUrl = new URL(env.WARREN_URL ?? `http://localhost:${ports.gateway}`).origin;
  const idp = new URL(hubUrl);
  idp.protocol = 'http:';
  idp.port = String(ports.idp);
  return {
    home: resolve(root, env.WARREN_HOME),
    host: env.WARREN_HOST,
    hubUrl,
    deviceDomain: env.WARREN_DEVICE_DOMAIN ?? `devices.${new URL(hubUrl).host}`,
    idpUrl: idp.origin,
    mailUrl: `http://localhost:${ports.mail}`,
    ports,
    replicas,
    together: togetherIn(env.WARREN_SERVICES, replicas),
    sessions: { idle: env.WARREN_SESSION_IDLE_SECONDS, absolute: env.WARREN_SESSION_ABSOLUTE_SECONDS },
    rolloutTrial: env.WARREN_ROLLOUT_TRIAL_SECONDS,
    signIn: { samlDomains: env.WARREN_SAML_DOMAINS, oidcProviders: env.WARREN_OIDC_PROVIDERS },
    otlp: env.WARREN_OTLP_URL,
    given: { postgres: env.WARREN_DATABASE_URL, redis: env.WARREN_REDIS_URL, nats: env.WARREN_NATS_URL },
  };
}

/** Node's compile cache, for all homes of a checkout. */
export const compiledIn = (checkout: string) => join(checkout, '.warren', 'compiled');

/** The folders inside the home. */
export const places = (home: string) => ({
  logs: join(home, 'logs'),
  idp: join(home, 'idp'),
  agent: join(home, 'agent'),
  people: join(home, 'people.json'),
  metadata: join(home, 'idp', 'metadata.xml'),
  secrets: join(home, 'secrets.json'),
  lock: join(home, 'warren.pid'),
  server: (name: string) => join(home, name),
  log: (name: string) => join(home, 'logs', `${name}.log`),
});
