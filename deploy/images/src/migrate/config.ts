import { databaseServices } from '@warren/infra/provision';
import { z } from 'zod';
import { readEnvironment } from '../environment.ts';

const postgres = z.url({ protocol: /^postgres(ql)?$/, error: 'expected postgres://user:password@host:port/database' });

const schema = z.object({
  /** URL of an administrator for any database of the server; without it, roles and schemas must exist. */
  ADMIN_DATABASE_URL: postgres.optional(),
  IDENTITY_DATABASE_URL: postgres,
  TENANCY_DATABASE_URL: postgres,
  DEVICES_DATABASE_URL: postgres,
  FLEET_DATABASE_URL: postgres,
  AUDIT_DATABASE_URL: postgres,
});

export type ServiceName = (typeof databaseServices)[number];

/** Settings of the migrations. */
export interface MigrateConfig {
  admin: string | undefined;
  /** Database URLs by service, with role and password. */
  databases: Record<ServiceName, string>;
}

/**
 * Reads the configuration from the environment; empty values count as not given.
 * @throws an error that names each variable that is missing or wrong, without its value
 */
export function readConfig(environment: NodeJS.ProcessEnv): MigrateConfig {
  const data = readEnvironment(schema, environment);
  return {
    admin: data.ADMIN_DATABASE_URL,
    databases: {
      identity: data.IDENTITY_DATABASE_URL,
      tenancy: data.TENANCY_DATABASE_URL,
      devices: data.DEVICES_DATABASE_URL,
      fleet: data.FLEET_DATABASE_URL,
      audit: data.AUDIT_DATABASE_URL,
    },
  };
}

/** Returns database, roles and passwords of the services' URLs. @throws Error if they have different databases */
export function wanted(databases: Record<ServiceName, string>): {
  database: string;
  roles: Record<string, string>;
  passwords: Record<string, string>;
} {
  const urls = databaseServices.map((name) => [name, new URL(databases[name])] as const);
  const names = new Set(urls.map(([, url]) => url.pathname.slice(1)));
  const [database] = names;
  if (names.size !== 1 || !database) {
    throw new Error(`The services' addresses name several databases: ${[...names].join(', ')}; expected one`);
  }
  return {
    database,
    roles: Object.fromEntries(urls.map(([name, url]) => [name, decodeURIComponent(url.username)])),
    passwords: Object.fromEntries(urls.map(([name, url]) => [name, decodeURIComponent(url.password)])),
  };
}
