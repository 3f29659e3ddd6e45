import { readFile } from 'node:fs/promises';
import { databaseServices } from '@warren/infra/provision';
import { hub, readSettings, places, services } from '@warren/local/settings';
import { busCredentials, busPasswords } from '@warren/local/steps/bus';
import { callerKeys } from '@warren/local/steps/callers';
import { redisCredentials, redisPasswords } from '@warren/local/steps/redis-users';
import { opsPortOf, serviceEnvironment } from '@warren/local/steps/services';
import { bundle } from './bundle/command.ts';
import { UsageError } from './options.ts';

/*
 * `make bundle`: the bundle of the copy that `make start` runs, or ran.
 */

const settings = readSettings(process.env);
const { home, ports, given } = settings;

/** Reads the environments that `make start` gives its services; before the first start there are no secrets. */
async function addresses() {
  const text = await readFile(places(home).secrets, 'utf8').catch(() => {
    throw new UsageError(`WARREN_HOME: expected the folder of a copy that was started (came: ${home})`);
  });
  const secrets = JSON.parse(text) as Record<string, string>;
  const database = (name: string) => {
    const url = new URL(given.postgres ?? `postgres://127.0.0.1:${ports.postgres}/warren`);
    url.username = `warren_${name}`;
    url.password = secrets[name] ?? '';
    return [name, url.href] as const;
  };
  return {
    servers: {
      postgres: given.postgres ?? '',
      redis: given.redis ?? `redis://127.0.0.1:${ports.redis}`,
      nats: given.nats ?? `nats://127.0.0.1:${ports.nats}`,
    },
    databases: Object.fromEntries(databaseServices.map(database)) as Record<string, string>,
    bus: await busPasswords(settings),
    redis: await redisPasswords(settings, secrets['redis-doctor'] ? 'program' : undefined),
    callers: await callerKeys(settings),
  };
}

async function make(): Promise<void> {
  const all = await addresses();
  const of = (name: string, replica = 1) =>
    serviceEnvironment({ settings, environment: {} }, all, name, replica) as Record<string, string>;
  const databases = databaseServices.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, all.databases[name]]);
  const environment: NodeJS.ProcessEnv = {
    HUB_URL: settings.hubUrl,
    DEVICE_DOMAIN: settings.deviceDomain,
    SAML_PROVIDERS: of('gateway')['SAML_PROVIDERS'],
    OIDC_PROVIDERS: of('gateway')['OIDC_PROVIDERS'],
    SMTP_URL: of('tenancy')['SMTP_URL'],
    REDIS_URL: all.servers.redis,
    NATS_URL: all.servers.nats,
    ...busCredentials(all.bus, 'doctor'),
    ...redisCredentials(all.redis, 'doctor'),
    ...(Object.fromEntries(databases) as NodeJS.ProcessEnv),
  };
  const replicas: Record<string, number> = settings.replicas;
  const each = services.flatMap((name) =>
    Array.from({ length: replicas[name] ?? 1 }, (_, index) => {
      const suffix = index === 0 ? '' : `-${index + 1}`;
      return `${name}${suffix}=127.0.0.1:${opsPortOf(settings, name, index + 1)}`;
    }),
  );
  const ops = (settings.together ? [`${hub}=127.0.0.1:${ports.gatewayOps}`] : each).flatMap((one) => ['--ops', one]);
  const { stdin, stdout, stderr } = process;
  await bundle(['--logs', places(home).logs, ...ops, ...process.argv.slice(2)], {
    environment,
    services: Object.fromEntries(services.map((name) => [name, of(name)])),
    stdin,
    stdout,
    stderr,
  });
  // A check that timed out may hold a connection.
  process.exit(0);
}

try {
  await make();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
