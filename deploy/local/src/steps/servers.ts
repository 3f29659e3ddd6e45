import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dockerPlan, type ServerKind } from '@warren/infra/docker';
import { natsPlan, type NatsConfiguration } from '@warren/infra/nats';
import { postgresPlan } from '@warren/infra/postgres';
import { databaseServices, provision } from '@warren/infra/provision';
import { redisPlan } from '@warren/infra/redis';
import type { Plan } from '@warren/infra/server';
import type { Context } from '../context.ts';
import { keptSecrets } from '../secrets.ts';
import { places } from '../settings.ts';
import { busAccounts, busVariables } from './bus.ts';
import type { Source, Sources } from './programs.ts';
import { writeRedisUsers } from './redis-users.ts';

const host = '127.0.0.1';

/** The addresses of the servers; the database's is its administrator's. */
export type ServerUrls = Record<ServerKind, string>;

/** The passwords of the servers' users, by name. */
export interface Passwords {
  bus: Record<string, string>;
  redis: Record<string, string>;
}

async function redis(folder: string, port: number, root: string, passwords: Record<string, string>): Promise<Plan> {
  const file = join(folder, 'users.conf');
  await writeRedisUsers(file, root, passwords);
  return redisPlan(folder, host, port, true, ['--include', file]);
}

/** How one of the servers runs, with the users that the services of the context's checkout have. */
export async function serverPlan(
  { settings, root }: Context,
  kind: ServerKind,
  source: Source,
  passwords: Passwords,
): Promise<Plan> {
  const port = settings.ports[kind];
  const folder = places(settings.home).server(kind);
  await mkdir(folder, { recursive: true });
  const bus: NatsConfiguration = { file: busAccounts(root), variables: busVariables(passwords.bus) };
  const own = async () => {
    if (source === 'docker') return dockerPlan(kind, folder, host, port, kind === 'nats' ? bus : undefined);
    if (kind === 'postgres') return postgresPlan(folder, host, port, true);
    return kind === 'redis' ? redis(folder, port, root, passwords.redis) : natsPlan(folder, host, port, bus);
  };
  const { spec, url } = await own();
  return { spec: { ...spec, log: places(settings.home).log(kind) }, url };
}

/** Starts the needed private servers. @returns the URLs of all */
export async function startServers(context: Context, sources: Sources, passwords: Passwords): Promise<ServerUrls> {
  const kinds = Object.entries(sources) as [ServerKind, Source][];
  const plans = await Promise.all(
    kinds.map(async ([kind, source]) => [kind, await serverPlan(context, kind, source, passwords)] as const),
  );
  const specs = plans.map(([, { spec }]) => spec);
  // Docker may download an image first.
  await context.processes.start(specs, kinds.some(([, source]) => source === 'docker') ? 600_000 : 60_000);
  const started = Object.fromEntries(plans.map(([kind, { url }]) => [kind, url]));
  return { ...context.settings.given, ...started } as ServerUrls;
}

/** Creates the database with a role and a schema for each service. @returns their URLs */
export async function provisionDatabase({ settings }: Context, adminUrl: string): Promise<Record<string, string>> {
  const secrets = await keptSecrets(places(settings.home).secrets, databaseServices);
  return provision({ adminUrl, services: databaseServices, passwords: secrets });
}
