import { startPostgres } from '@warren/infra/postgres';
import { requireProgram } from '@warren/infra/programs';
import { databaseServices, withClient, withDatabase } from '@warren/infra/provision';
import type { Server } from '@warren/infra/server';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../src/bundle.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/**
 * Stands for Docker's compose: PostgreSQL's programs and the migrations run here, and there are no other containers. It notes each call,
 * and kills the script that makes the one of the number `KILL_AT`.
 */
const COMPOSE = `#!/bin/sh
echo "$*" >> "$CALLS"
if [ "$(wc -l < "$CALLS")" = "\${KILL_AT:-0}" ]; then kill -9 "$SCRIPT"; exit 137; fi
case "$*" in
  'exec -T postgres '*) shift 3; exec "$@" ;;
  'run --rm migrate')
    for service in ${databaseServices.map((name) => name.toUpperCase()).join(' ')}; do
      eval "url=\\\${$\{service}_DATABASE_URL}"
      export "$\{service}_DATABASE_URL=\${url%/*}/\${WARREN_DATABASE:-warren}"
    done
    exec node "$(dirname "$0")/migrate.mjs" ;;
esac
`;

/** Stands for Docker: what it is asked for is the health of containers. */
const DOCKER = `#!/bin/sh
echo "\${HEALTH:-healthy}"
`;

/** The scripts of Compose in a folder, over a PostgreSQL that is migrated. */
export class Installation {
  private constructor(
    readonly folder: string,
    readonly server: Server,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async start(): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-restore-'));
    const server = await startPostgres();
    await bundle('deploy/images/src/migrate/main.ts', join(folder, 'migrate.mjs'));
    await symlink(join(root, 'services'), join(folder, 'services'));
    await mkdir(join(folder, 'backups'));
    await writeFile(join(folder, '.env'), '');
    await writeFile(join(folder, 'compose'), COMPOSE, { mode: 0o755 });
    await writeFile(join(folder, 'docker'), DOCKER, { mode: 0o755 });
    for (const name of ['backup.sh', 'restore.sh', 'compose.sh', 'storage.sh'])
      await copyFile(join(root, 'deploy/compose', name), join(folder, name));
    const url = new URL(server.url);
    const programs = [folder, dirname(process.execPath), dirname(requireProgram('initdb')), process.env['PATH']];
    const installation = new Installation(folder, server, {
      PATH: programs.join(delimiter),
      COMPOSE: join(folder, 'compose'),
      CALLS: join(folder, 'calls'),
      ADMIN_DATABASE_URL: server.url,
      PGHOST: url.hostname,
      PGPORT: url.port,
      PGPASSWORD: url.password,
      ...Object.fromEntries(
        databaseServices.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, urlOf(server, name)]),
      ),
    });
    await installation.migrate();
    return installation;
  }

  /** Where scripts find their programs. */
  get path(): string {
    return this.environment['PATH'] ?? '';
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs a script.
   * @returns what it printed
   * @throws what `execFile` throws when it fails, with `code`, `signal` and `stderr`
   */
  async script(name: string, args: string[] = [], more: NodeJS.ProcessEnv = {}): Promise<string> {
    await writeFile(join(this.folder, 'calls'), '');
    const command = ['-c', 'SCRIPT=$$ exec sh "$0" "$@"', join(this.folder, name), ...args];
    const { stdout } = await run('sh', command, { env: { ...this.environment, ...more } });
    return stdout.trim();
  }

  /** When the last backup succeeded, as the database says. */
  async recorded(): Promise<Date | undefined> {
    const [row] = (await this.sql('SELECT succeeded_at FROM tenancy.backups')) as { succeeded_at: Date | null }[];
    return row?.succeeded_at ?? undefined;
  }

  /** The names in the folder `backups`, without those of locks, sorted. */
  async backups(): Promise<string[]> {
    return (await readdir(join(this.folder, 'backups'))).filter((name) => !name.startsWith('.')).sort();
  }

  /** Those files below the installation's folder that hold a dump as PostgreSQL writes it. */
  async plainDumps(): Promise<string[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes('PGDMP') && file));
    return found.filter((file) => file !== false);
  }

  migrate(): Promise<unknown> {
    return run(process.execPath, [join(this.folder, 'migrate.mjs')], { env: this.environment });
  }

  /** Runs SQL as an administrator, in the database of the services unless another is named. */
  sql(text: string, database = 'warren'): Promise<unknown[]> {
    return rows(withDatabase(this.server.url, database).href, text);
  }

  /** Runs SQL as identity. */
  asIdentity(text: string): Promise<unknown[]> {
    return rows(urlOf(this.server, 'identity'), text);
  }

  /** Adds an audit event. */
  async insert(actor: string): Promise<void> {
    await this.asIdentity(
      `INSERT INTO identity.audit (id, action, actor, detail, remote_address, user_agent)
       VALUES ('${randomUUID()}', 'sign_in', '${actor}', '', '', '')`,
    );
  }

  /** The actors of the audit events, oldest first. */
  async actors(): Promise<string[]> {
    const found = await this.asIdentity('SELECT actor FROM audit ORDER BY time, id');
    return (found as { actor: string }[]).map(({ actor }) => actor);
  }

  /** The names of all databases of Warren, sorted. */
  async databases(): Promise<string[]> {
    const found = await this.sql(`SELECT datname FROM pg_database WHERE datname LIKE 'warren%' ORDER BY 1`, 'postgres');
    return (found as { datname: string }[]).map(({ datname }) => datname);
  }
}

const rows = (url: string, text: string) =>
  withClient(url, async (client) => (await client.query(text)).rows as unknown[]);

function urlOf(server: Server, service: string): string {
  const url = withDatabase(server.url, 'warren');
  url.username = `warren_${service}`;
  url.password = `of-${service}-in-tests`;
  return url.href;
}
