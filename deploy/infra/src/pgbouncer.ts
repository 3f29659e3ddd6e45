import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverFolder } from './folder.ts';
import { databaseUser, postgresReady } from './postgres.ts';
import { requireProgram } from './programs.ts';
import { startServer, type Server, type ServerOptions } from './server.ts';

/** Fewer than the connections of a service, so that its transactions share them. */
const CONNECTIONS = 4;

/** Startup parameters of the services that their roles also set. */
export const IGNORED: readonly string[] = ['statement_timeout', 'idle_in_transaction_session_timeout'];

/** Returns a role's URL at another server, such as a pooler. */
export function urlAt({ host, port }: Pick<Server, 'host' | 'port'>, url: string): string {
  const at = new URL(url);
  at.host = `${host}:${port}`;
  return at.href;
}

/**
 * Starts a private PgBouncer in transaction mode, which reads passwords from PostgreSQL as in docs/operations/configure.md.
 * @param adminUrl URL of PostgreSQL with a superuser's name and password
 * @param options with `ignores`, the startup parameters that are not passed on
 * @returns a server whose `url` is the administrator's, through the pooler
 */
export async function startPgBouncer(
  adminUrl: string,
  { ignores = IGNORED, ...options }: ServerOptions & { ignores?: readonly string[] } = {},
): Promise<Server> {
  const folder = await serverFolder('pgbouncer', options.dir);
  const user = await databaseUser(folder);
  const { hostname, port: at, username, password } = new URL(adminUrl);
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o600 });
  return startServer(options, folder, async (host, port) => {
    const file = join(folder, 'pgbouncer.ini');
    const settings = [
      ...['[databases]', `* = host=${hostname} port=${at}`, '[pgbouncer]'],
      ...[`listen_addr = ${host}`, `listen_port = ${port}`, 'unix_socket_dir ='],
      ...['auth_type = scram-sha-256', `auth_file = ${users}`, `auth_user = ${username}`],
      ...['pool_mode = transaction', `default_pool_size = ${CONNECTIONS}`, 'max_client_conn = 500'],
      `ignore_startup_parameters = ${ignores.join(', ')}`,
    ];
    await writeFile(file, `${settings.join('\n')}\n`, { mode: 0o600 });
    if (user) await Promise.all([file, users].map((path) => chown(path, user.uid, user.gid)));
    const url = urlAt({ host, port }, adminUrl);
    const args = ['--quiet', file];
    const log = join(folder, 'pgbouncer.log');
    const ready = () => postgresReady(url);
    const command = requireProgram('pgbouncer');
    // SIGINT waits for active transactions; SIGTERM doesn't.
    return { url, spec: { name: 'pgbouncer', command, args, cwd: '/', log, user, ready } };
  });
}
