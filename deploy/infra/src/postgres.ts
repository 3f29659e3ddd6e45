import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Certificate } from './certificates.ts';
import { serverFolder } from './folder.ts';
import { lastLines, launch, type SystemUser } from './process.ts';
import { requireProgram } from './programs.ts';
import { startServer, type Plan, type Server, type ServerOptions } from './server.ts';

const admin = 'postgres';
/** The data as an open folder, as the user postgres has no access to the folders above it in root's home. */
const inherited = '/proc/self/fd/3';

/**
 * Finds the user of a database server, which refuses root: the owner of its data, such as a person who started it before without root,
 * else `postgres`, else `nobody`.
 * @returns undefined if this process is not root
 */
export async function databaseUser(data: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owned = await stat(data).catch(() => undefined);
  if (owned?.uid) return { uid: owned.uid, gid: owned.gid };
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  if (!entry)
    throw new Error('PostgreSQL does not run as root, and this system has neither a user postgres nor nobody');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Returns the administrator's password, created once and stored beside the data. */
async function keptPassword(folder: string): Promise<string> {
  const file = join(folder, 'password');
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const password = randomBytes(18).toString('base64url');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Creates the cluster if the folder has none; recreates an incomplete one of an interrupted start. */
async function initialise(folder: string, user?: SystemUser): Promise<void> {
  const done = join(folder, 'made');
  if (existsSync(done)) return;
  const data = join(folder, 'data');
  const stdin = join(folder, 'password');
  const log = join(folder, 'initdb.log');
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true, mode: 0o700 });
  if (user) await Promise.all([data, stdin].map((path) => chown(path, user.uid, user.gid)));
  const access = [`--username=${admin}`, '--pwfile=/dev/stdin', '--auth=scram-sha-256'];
  const end = await launch({
    name: 'initdb',
    command: requireProgram('initdb'),
    args: ['-D', inherited, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', ...access],
    cwd: '/',
    log,
    stdin,
    folder: data,
    user,
    ready: () => Promise.resolve(),
  }).ended;
  if (end !== 'code 0') throw new Error(`initdb ended (${end}): ${await lastLines(log)}`);
  await writeFile(done, '');
}

/** Rejects while PostgreSQL does not answer a query. */
export async function postgresReady(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  // Without a listener, a later error of the connection would end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Plans PostgreSQL with its data in `folder`, created if missing; without `durable` it does not fsync. */
export async function postgresPlan(folder: string, host: string, port: number, durable: boolean): Promise<Plan> {
  const user = await databaseUser(join(folder, 'data'));
  const password = await keptPassword(folder);
  await initialise(folder, user);
  const settings = ['max_connections=200', 'unix_socket_directories=', 'timezone=UTC'];
  if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  const url = `postgres://${admin}:${password}@${host}:${port}/postgres`;
  return {
    url,
    spec: {
      name: 'postgres',
      command: requireProgram('postgres'),
      args: ['-D', inherited, '-h', host, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      cwd: '/',
      log: join(folder, 'postgres.log'),
      folder: join(folder, 'data'),
      // SIGINT is PostgreSQL's fast shutdown, which does not wait for clients (PostgreSQL manual, 19.5).
      stopSignal: 'SIGINT',
      stopTimeout: 30_000,
      user,
      ready: () => postgresReady(url),
    },
  };
}

/** Starts a private PostgreSQL; `url` is its administrator's, for the database postgres. With a certificate it also accepts TLS. */
export async function startPostgres(options: ServerOptions = {}, certificate?: Certificate): Promise<Server> {
  const folder = await serverFolder('postgres', options.dir);
  return startServer(options, folder, async (host, port) => {
    const plan = await postgresPlan(folder, host, port, options.dir !== undefined);
    const more = certificate ? await tlsArguments(folder, certificate, plan.spec.user) : [];
    return { ...plan, spec: { ...plan.spec, args: [...plan.spec.args, ...more] } };
  });
}

/** PostgreSQL accepts only a private key that no one else may read, in a folder that its user reaches (PostgreSQL manual, 18.9). */
async function tlsArguments(folder: string, { cert, key }: Certificate, user?: SystemUser): Promise<string[]> {
  const copies = { cert: join(folder, 'data/server.crt'), key: join(folder, 'data/server.key') };
  await copyFile(cert, copies.cert);
  await copyFile(key, copies.key);
  await chmod(copies.key, 0o600);
  if (user) await Promise.all(Object.values(copies).map((path) => chown(path, user.uid, user.gid)));
  return ['ssl=on', 'ssl_cert_file=server.crt', 'ssl_key_file=server.key'].flatMap((setting) => ['-c', setting]);
}
