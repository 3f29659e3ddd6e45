import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The services with a schema. */
export const databaseServices = ['identity', 'tenancy', 'devices', 'fleet', 'audit'] as const;

/** The schemas of services whose name is not that of a schema. `audit` belongs to another role (audit-owner.ts). */
const SCHEMAS: Readonly<Record<string, readonly string[]>> = { audit: ['trail', 'audit'] };

/** What to provision; names consist of lower-case letters, digits and underscores. */
export interface Provision {
  /** The administrator's URL for any database of the server. */
  adminUrl: string;
  /** Defaults to `warren`. */
  database?: string;
  services: readonly string[];
  /** By service; defaults to a random one. */
  passwords?: Readonly<Record<string, string>>;
  /** The role of a service; defaults to `warren_<service>`. */
  role?: (service: string) => string;
}

function plain(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) {
    throw new Error(`database name: '${name}' is not made of lower-case letters, digits and underscores`);
  }
  return name;
}

/** Runs work on a connection, and closes it in any case. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the administrator's URL for a database. */
export function withDatabase(adminUrl: string, database: string): URL {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url;
}

async function makeDatabase(client: pg.Client, database: string): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [database]);
  if (found.rowCount) return;
  // Names are normalised and searched as Unicode, independent of the server's default encoding.
  await client.query(`create database ${database} encoding 'UTF8' template template0`);
}

async function makeService(client: pg.Client, database: string, service: string, role: string, password: string) {
  const found = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (!found.rowCount) await client.query(`create role ${role} login`);
  await client.query(`alter role ${role} with login password ${client.escapeLiteral(password)}`);
  await client.query(`grant connect on database ${database} to ${role}`);
  // The administrator of a managed server is no superuser, and must be a member of a role to create objects that it owns.
  await client.query(`grant ${role} to current_user`);
  const [own = service, ...read] = SCHEMAS[service] ?? [];
  await client.query(`create schema if not exists ${own} authorization ${role}`);
  await client.query(
    `alter role ${role} in database ${database} set search_path = ${[own, ...read].join(', ')}, public`,
  );
}

/**
 * Creates the database, and for each service a role and a schema that the role owns. Idempotent.
 * @returns the URL of the database for each service, with its role and password
 */
export async function provision(what: Provision): Promise<Record<string, string>> {
  const database = plain(what.database ?? 'warren');
  const urls: Record<string, string> = {};
  await withClient(what.adminUrl, (client) => makeDatabase(client, database));
  await withClient(withDatabase(what.adminUrl, database).href, async (client) => {
    await client.query(`revoke all on database ${database} from public`);
    await client.query('revoke create on schema public from public');
    await client.query('create extension if not exists pg_trgm with schema public');
    for (const service of what.services.map(plain)) {
      const role = plain(what.role?.(service) ?? `warren_${service}`);
      const password = what.passwords?.[service] ?? randomBytes(18).toString('base64url');
      await makeService(client, database, service, role, password);
      const url = withDatabase(what.adminUrl, database);
      url.username = role;
      url.password = password;
      urls[service] = url.href;
    }
  });
  return urls;
}
