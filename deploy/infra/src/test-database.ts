import { randomBytes } from 'node:crypto';
import { protectAudit } from './audit-owner.ts';
import { urlAt } from './pgbouncer.ts';
import { provision, withClient } from './provision.ts';

/** A database of one test file. */
export interface TestDatabase {
  /** For the service: its own role, its schema first in the search path. */
  url: string;
  /** For the administrator, in the same database. */
  adminUrl: string;
  /** Takes the audit trail away from the role, as installations do when their migrations have run. */
  protectAudit(): Promise<boolean>;
  /** Drops the database and the roles; connections that are still open are cut. */
  drop(): Promise<void>;
}

/** The address by which a service works, once it is migrated: through the pooler of the run, if there is one. */
export function serviceUrl(url: string): string {
  const pooler = process.env['TEST_POOLER_URL'];
  if (!pooler) return url;
  const { hostname: host, port } = new URL(pooler);
  return urlAt({ host, port: Number(port) }, url);
}

/** A new, empty database with the role and the schema of a service, on the server of TEST_DATABASE_URL. */
export async function createTestDatabase(service: string): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server)
    throw new Error("TEST_DATABASE_URL is not set: add globalSetup '@warren/infra/jest-setup' to the Jest config");
  const database = `test_${service}_${randomBytes(6).toString('hex')}`;
  // Roles belong to the whole server, so each test file has its own.
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
