import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { protectAudit } from '@warren/infra/audit-owner';
import type { ProcessSpec } from '@warren/infra/process';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { operatorAccount, operatorEmail } from '../people.ts';
import { answers } from '../ready.ts';
import { compiledIn, hub, places, portsOfReplica, root as ownRoot, type PortName, type Settings } from '../settings.ts';
import { busCredentials } from './bus.ts';
import { redisCredentials } from './redis-users.ts';
import type { ServerUrls } from './servers.ts';

/** Addresses that the services are given. */
export interface Addresses {
  servers: ServerUrls;
  /** The database's address for each service that has a schema. */
  databases: Record<string, string>;
  /** The password of each user of the bus. */
  bus: Record<string, string>;
  /** The password of each user of Redis. */
  redis: Record<string, string>;
  /** The keys of calls, as variables by service. */
  callers: Record<string, NodeJS.ProcessEnv>;
}

const opsPort: Readonly<Record<string, PortName>> = {
  identity: 'identityOps',
  tenancy: 'tenancyOps',
  devices: 'devicesOps',
  fleet: 'fleetOps',
  audit: 'auditOps',
  tunnels: 'tunnelsOps',
  gateway: 'gatewayOps',
};

/** The services, in the order in which they are listed. */
export const serviceNames = Object.keys(opsPort);

/** Those of a checkout: a former version may have fewer. */
const servicesIn = (root: string) => serviceNames.filter((name) => existsSync(join(root, 'services', name)));

/** Returns the URL of a service's health and metrics; undefined for other processes. */
export function opsPortOf({ ports, together }: Settings, service: string, replica = 1): number | undefined {
  const name = together && opsPort[service] ? 'gatewayOps' : opsPort[service];
  return name && portsOfReplica(ports, replica)[name];
}

type Surroundings = Pick<Context, 'settings' | 'environment'> & Partial<Pick<Context, 'root'>>;

/**
 * Returns memory from the start to the system, most of it of V8's compiler, which glibc would keep. It doubles the cost of 64 KiB reads, so
 * gateway and tunnels, which relay bytes, don't use it. deploy/images/Dockerfile sets the same.
 */
const givesBack = { MALLOC_MMAP_THRESHOLD_: '32000' };

function own({ root = ownRoot, ...context }: Surroundings, name: string, replica: number): NodeJS.ProcessEnv {
  const { home, host, sessions, rolloutTrial, signIn } = context.settings;
  const ports = portsOfReplica(context.settings.ports, replica);
  const smtp = `smtp://127.0.0.1:${context.settings.ports.smtp}`;
  const provider = { id: 'default', name: 'Development sign-in', metadata: places(home).metadata };
  const all: Record<string, NodeJS.ProcessEnv> = {
    identity: {
      ...givesBack,
      ...(sessions.idle && { SESSION_IDLE_SECONDS: String(sessions.idle) }),
      ...(sessions.absolute && { SESSION_ABSOLUTE_SECONDS: String(sessions.absolute) }),
    },
    tenancy: {
      ...givesBack,
      OPERATOR_ACCOUNT: operatorAccount,
      SMTP_URL: smtp,
    },
    devices: { ...givesBack, ...(rolloutTrial && { ROLLOUT_TRIAL_SECONDS: String(rolloutTrial) }) },
    // Loopback, so that a webhook may be tried on the same machine.
    fleet: { ...givesBack, SMTP_URL: smtp, NOTIFY_PRIVATE_ADDRESSES: '127.0.0.0/8' },
    audit: {
      ...givesBack,
      NOTIFY_PRIVATE_ADDRESSES: '127.0.0.0/8',
      RECORDINGS_FOLDER: join(home, 'recordings'),
    },
    tunnels: {
      HOST: '127.0.0.1',
      PORT: String(ports.tunnels),
      ADVERTISED_URL: `http://127.0.0.1:${ports.tunnels}`,
    },
    gateway: {
      HOST: host,
      PORT: String(ports.gateway),
      CONSOLE_DIR: join(root, 'web/dist'),
      AGENT_PACKAGES_DIR: join(root, 'agent/dist/packages'),
      AGENT_RELEASES_DIR: join(home, 'releases'),
      AGENT_INSTALLER: join(root, 'agent/packaging/install.sh'),
      SAML_PROVIDERS: JSON.stringify([{ ...provider, ...(signIn.samlDomains && { domains: signIn.samlDomains }) }]),
      ...(signIn.oidcProviders && { OIDC_PROVIDERS: signIn.oidcProviders }),
    },
  };
  return all[name] ?? {};
}

/** The environment of one service, or of one of its replicas. */
export function serviceEnvironment(
  context: Surroundings,
  { servers, databases, bus, redis, callers }: Addresses,
  name: string,
  replica = 1,
): NodeJS.ProcessEnv {
  const port = opsPortOf(context.settings, name, replica);
  return {
    ...context.environment,
    NODE_ENV: 'development',
    NATS_URL: servers.nats,
    ...busCredentials(bus, name),
    ...callers[name],
    REDIS_URL: servers.redis,
    ...redisCredentials(redis, name),
    ...(databases[name] && { DATABASE_URL: databases[name] }),
    OPS_HOST: '127.0.0.1',
    ...(port && { OPS_PORT: String(port) }),
    ...(context.settings.otlp && { OTEL_EXPORTER_OTLP_ENDPOINT: context.settings.otlp }),
    OPERATOR_EMAIL: operatorEmail,
    HUB_URL: context.settings.hubUrl,
    DEVICE_DOMAIN: context.settings.deviceDomain,
    ...own(context, name, replica),
  };
}

/** How a service runs, or one of its replicas. */
export function serviceSpec(context: Context, addresses: Addresses, service: string, replica = 1): ProcessSpec {
  const env = serviceEnvironment(context, addresses, service, replica);
  const name = replica === 1 ? service : `${service}-${replica}`;
  return {
    name,
    command: process.execPath,
    args: ['--enable-source-maps', 'dist/bundle.mjs'],
    cwd: join(context.root, 'services', service),
    env: { ...env, NODE_COMPILE_CACHE: compiledIn(context.root) },
    log: places(context.settings.home).log(name),
    ready: () => answers(`http://127.0.0.1:${env['OPS_PORT']}/readyz`),
  };
}

/** Plans all services in one process, with variables named after each. */
function hubSpec(context: Context, addresses: Addresses): ProcessSpec {
  const environments = servicesIn(context.root).map(
    (name) => [name, serviceEnvironment(context, addresses, name)] as const,
  );
  const [, first = {}] = environments[0] ?? [];
  const common = Object.entries(first).filter(([name, value]) => environments.every(([, env]) => env[name] === value));
  const own = environments.flatMap(([service, env]) =>
    Object.entries(env)
      .filter(([name]) => !(name in givesBack) && !common.some(([shared]) => shared === name))
      .map(([name, value]) => [`${service.toUpperCase()}_${name}`, value]),
  );
  const env = Object.fromEntries([...common, ...own]) as NodeJS.ProcessEnv;
  return {
    name: hub,
    command: process.execPath,
    args: ['--enable-source-maps', 'dist/bundle.mjs'],
    cwd: join(context.root, 'services', hub),
    env: { ...env, NODE_COMPILE_CACHE: compiledIn(context.root) },
    log: places(context.settings.home).log(hub),
    ready: () => answers(`http://127.0.0.1:${env['OPS_PORT']}/readyz`),
  };
}

/** Runs a script of a service. @returns its output */
export function runScript(context: Context, addresses: Addresses, name: string, args: string[]): Promise<string> {
  const env = { ...serviceEnvironment(context, addresses, name), NODE_COMPILE_CACHE: compiledIn(context.root) };
  return command(process.execPath, args, { cwd: join(context.root, 'services', name), env });
}

/** Brings each schema up to date, and protects the audit trail from the service that writes it. */
export async function migrate(context: Context, addresses: Addresses, note: (text: string) => void): Promise<void> {
  const names = servicesIn(context.root).filter((name) => addresses.databases[name]);
  await Promise.all(names.map((name) => runScript(context, addresses, name, ['dist/migrate.js'])));
  // Version 0.1.0 had no such owner.
  if (!existsSync(join(context.root, 'deploy/infra/src/audit-owner.ts'))) return;
  if (!(await protectAudit(addresses.servers.postgres))) note('the audit trail stays with the role of identity');
}

/** Starts the services, in one process or each in its own, with as many of the gateway and of tunnels as the settings say: `gateway`, `gateway-2`, … */
export function startServices(context: Context, addresses: Addresses): Promise<void> {
  if (context.settings.together) return context.processes.start([hubSpec(context, addresses)]);
  const replicas: Record<string, number> = context.settings.replicas;
  const specs = servicesIn(context.root).flatMap((service) =>
    Array.from({ length: replicas[service] ?? 1 }, (_, index) => serviceSpec(context, addresses, service, index + 1)),
  );
  return context.processes.start(specs);
}
