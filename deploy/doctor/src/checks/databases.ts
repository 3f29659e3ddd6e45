import { readdir, readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';

const { ok, warn, fail, skip } = findings('postgres');
const SERVICES = ['identity', 'tenancy', 'devices', 'fleet', 'audit'] as const;
type Service = (typeof SERVICES)[number];

const addressOf = (options: Options, service: Service) =>
  ({
    identity: options.IDENTITY_DATABASE_URL,
    tenancy: options.TENANCY_DATABASE_URL,
    devices: options.DEVICES_DATABASE_URL,
    fleet: options.FLEET_DATABASE_URL,
    audit: options.AUDIT_DATABASE_URL,
  })[service];

/** The schema of the audit service's own tables: `audit` belongs to another role. */
const schemaOf = (service: Service) => (service === 'audit' ? 'trail' : service);

/** Names of the code's migrations, as TypeORM records them: the names of classes. */
async function known(options: Options, service: Service): Promise<string[] | undefined> {
  const services = options.SERVICES_DIR ?? resolve(import.meta.dirname, '../../../../services');
  const folder = join(services, service, 'dist/migrations');
  const files = await readdir(folder).catch(() => undefined);
  if (!files) return undefined;
  const texts = await Promise.all(
    files.filter((name) => name.endsWith('.js')).map((name) => readFile(join(folder, name), 'utf8')),
  );
  return texts.flatMap((text) => [...text.matchAll(/^export class (\w+\d{13})\b/gm)].map(([, name = '']) => name));
}

function migrations(service: Service, expected: string[] | undefined, ran: string[]): Finding {
  if (!expected) {
    return skip(
      `${service}: ${ran.length} migrations have run`,
      'Set SERVICES_DIR to compare them with those there are.',
    );
  }
  const pending = expected.filter((name) => !ran.includes(name));
  const foreign = ran.filter((name) => !expected.includes(name));
  if (pending.length > 0) {
    return fail(
      `${service}: ${pending.length} migrations have not run: ${pending.join(', ')}`,
      'Run the migrations before the services.',
    );
  }
  if (foreign.length > 0) {
    return warn(
      `${service}: ${foreign.join(', ')} is of a newer version`,
      'Right while an upgrade rolls out; otherwise run the newer version.',
    );
  }
  return ok(`${service}: all ${ran.length} migrations have run`);
}

async function inspect(client: pg.Client, service: Service, expected: string[] | undefined): Promise<Finding[]> {
  const { rows } = await client.query<{ table: string | null; superuser: boolean; owns: boolean; replica: boolean }>(
    `SELECT to_regclass($1)::text AS table, r.rolsuper AS superuser, pg_is_in_recovery() AS replica,
            coalesce(has_schema_privilege(to_regnamespace($2)::oid, 'CREATE'), false) AS owns
       FROM pg_roles r WHERE r.rolname = current_user`,
    [`${schemaOf(service)}.migrations`, schemaOf(service)],
  );
  const [state] = rows;
  const found: Finding[] = [];
  if (state?.replica) found.push(fail(`${service}: this server is a standby`, 'Lead the address to the primary.'));
  if (state?.superuser) {
    found.push(warn(`${service}: its role is a superuser`, 'Give the service a role that owns its own schema alone.'));
  }
  if (!state?.owns)
    found.push(
      fail(
        `${service}: its role may make nothing in the schema ${schemaOf(service)}`,
        'Make the role the owner of its schema.',
      ),
    );
  if (!state?.table)
    return [...found, fail(`${service}: no migration has run`, 'Run the migrations before the services.')];
  const ran = await client.query<{ name: string }>(`SELECT name FROM ${schemaOf(service)}.migrations`);
  const names = ran.rows.map(({ name }) => name);
  return [...found, migrations(service, expected, names), ...(await trail(client, service))];
}

/** Where the trail is, and the trigger that guards it: of 0.1, and of the audit service. */
const TRAILS: Partial<Record<Service, { table: string; before: string; trigger: string }>> = {
  identity: { table: 'audit.audit', before: 'identity.audit', trigger: 'audit_only_grows' },
  audit: { table: 'audit.events', before: 'trail.events', trigger: 'events_only_grow' },
};

/** Checks that a role that writes an audit trail can't change it; nothing without a trail. */
async function trail(client: pg.Client, service: Service): Promise<Finding[]> {
  const of = TRAILS[service];
  if (!of) return [];
  const { rows } = await client.query<{ owns: boolean; changes: boolean; guarded: boolean }>(
    `SELECT pg_has_role(t.relowner, 'MEMBER') OR pg_has_role(n.nspowner, 'MEMBER') AS owns,
            has_table_privilege(t.oid, 'UPDATE, DELETE, TRUNCATE') AS changes,
            EXISTS (SELECT FROM pg_trigger WHERE tgrelid = t.oid AND tgname = $3 AND tgenabled IN ('O', 'A')) AS guarded
       FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
      WHERE t.oid = coalesce(to_regclass($1), to_regclass($2))`,
    [of.table, of.before, of.trigger],
  );
  return rows.map(({ owns, changes, guarded }) => {
    if (!guarded)
      return fail(
        `${service}: the audit trail has no trigger that refuses changes`,
        'Restore the table from a backup.',
      );
    if (owns || changes)
      return warn(
        `${service}: its role can change and drop the audit trail`,
        "Run the migrations with ADMIN_DATABASE_URL, or what docs/operations/credentials.md says in 'Who owns the audit trail'.",
      );
    return ok(`${service}: its role can only append to the audit trail`);
  });
}

async function checkOne(options: Options, service: Service): Promise<Finding[]> {
  const url = addressOf(options, service);
  if (!url) return [skip(service, `Set ${service.toUpperCase()}_DATABASE_URL.`)];
  const ssl = options.DATABASE_CA_FILE ? { ssl: { ca: readFileSync(options.DATABASE_CA_FILE, 'utf8') } } : {};
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000, ...ssl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await inspect(client, service, await known(options, service));
  } catch (error) {
    return [fail(`${service}: ${reason(error)}`, 'See whether PostgreSQL runs, and the address, user and password.')];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Checks each service's schema: the connection, its role's privileges, and pending migrations. */
export async function checkDatabases(options: Options): Promise<Finding[]> {
  const found = await Promise.all(SERVICES.map((service) => checkOne(options, service)));
  return found.flat();
}
