import { randomBytes } from 'node:crypto';
import { protectAudit } from './audit-owner.ts';
import { urlAt } from './pgbouncer.ts';
import { provision, withClient } from './provision.ts';

/** The database of a test file. */
export interface TestDatabase {
  /** URL of the service: its role, with its schema first in the search path. */
  url: string;
  /** URL of the administrator for the same database. */
  adminUrl: string;
  /** Makes the audit trail append-only for the role, as in installations after migrations. */
  protectAudit(): Promise<boolean>;
  /** Drops the database and the roles, and closes open connections. */
  drop(): Promise<void>;
}

/** Returns a service's URL after migrations: through the run's pooler, if any. */
export function serviceUrl(url: string): string {
  const pooler = process.env['TEST_POOLER_URL'];
  if (!pooler) return url;
  const { hostname: host, port } = new URL(pooler);
  return urlAt({ host, port: Number(port) }, url);
}

/** Creates a database with the role and the empty schema of a service, on the server of TEST_DATABASE_URL. */
export async function createTestDatabase(service: string): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server)
    throw new Error("TEST_DATABASE_URL is not set: add globalSetup '@warren/infra/jest-setup' to the Jest config");
  const database = `test_${service}_${randomBytes(6).toString('hex')}`;
  // Roles are global to the server, so each test file has its own.
  const urls = await provision({ adminUrl: server, database, services: [service], role: () => database });
  const adminUrl = new URL(server);
  adminUrl.pathname = `/${database}`;
  return {
    url: urls[service] ?? '',
    adminUrl: adminUrl.href,
    protectAudit: () => protectAudit(server, database),
    drop: () =>
      withClient(server, async (client) => {
        await client.query(`drop database if exists ${database} with (force)`);
        await client.query(`drop role if exists ${database}, ${database}_audit`);
      }),
  };
}
