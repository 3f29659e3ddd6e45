/**
 * The program of the image `migrate`: runs each service's own migrations. Given an administrator's address, it makes the database, the
 * roles and the schemas before, and protects the audit trail after. Safe to run twice, and by several at once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { protectAudit } from '@warren/infra/audit-owner';
import { databaseServices, provision, withClient } from '@warren/infra/provision';
import { until } from '@warren/infra/until';
import { readConfig, wanted, type MigrateConfig, type ServiceName } from './config.ts';

/** Time limit for a server that starts concurrently. */
const SERVER_MS = 120_000;

/** Errors that retries don't fix: invalid name or password, or an unknown database. */
const HOPELESS = /^(28|3D000)/;

/** @throws at once if the server refuses the URL, or after the time limit if it is unreachable */
async function serverAnswers(url: string): Promise<void> {
  let refused: Error | undefined;
  const asked = async () => {
    try {
      return await withClient(url, (client) => client.query('select 1'));
    } catch (error) {
      if (!HOPELESS.test((error as { code?: string }).code ?? '')) throw error;
      refused = error as Error;
      return true;
    }
  };
  await until(asked, SERVER_MS).catch(({ cause }: Error) => {
    const reason = cause instanceof Error ? cause.message : 'no answer';
    throw new Error(`database: ${new URL(url).host} could not be reached in ${SERVER_MS / 1_000} s: ${reason}`, {
      cause,
    });
  });
  if (refused) throw refused;
}

async function prepare({ admin, databases }: MigrateConfig): Promise<void> {
  await serverAnswers(admin ?? databases.identity);
  if (!admin) return;
  const { database, roles, passwords } = wanted(databases);
  const role = (service: string) => roles[service] ?? `warren_${service}`;
  await provision({ adminUrl: admin, database, services: databaseServices, passwords, role });
}

async function protect({ admin, databases }: MigrateConfig): Promise<void> {
  if (!admin || (await protectAudit(admin, wanted(databases).database))) return;
  console.warn(
    'audit trail: its owner stays as it is, as the administrator of ADMIN_DATABASE_URL may not make roles or give it to one',
  );
}

async function migrate(service: ServiceName, url: string): Promise<void> {
  const cwd = join(import.meta.dirname, 'services', service);
  const env = { ...process.env, DATABASE_URL: url };
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/migrate.js'], { cwd, env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${service}: its migrations ended with code ${code}`);
}

try {
  const config = readConfig(process.env);
  await prepare(config);
  for (const service of databaseServices) await migrate(service, config.databases[service]);
  await protect(config);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
