import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeAuthority } from '@warren/infra/certificates';
import { root } from '@warren/local/settings';
import { applyFile } from '../../cluster/addons.ts';
import { apply, kubectl, rolledOut } from '../../cluster/kubectl.ts';
import { SERVICES } from '../../suite/release.ts';

const NAMESPACE = 'servers';
const USERS = [...SERVICES, 'doctor'] as const;
const OWNERS = ['identity', 'tenancy', 'devices', 'fleet', 'audit'] as const;
const made = () => `x${randomBytes(24).toString('hex')}`;

/** External servers, and the secrets that they share with the installation. */
export interface Servers {
  ca: string;
  /** The administrator of PostgreSQL. */
  admin: string;
  redis: Record<string, string>;
  nats: Record<string, string>;
  /** Checks that connections use TLS. @returns their number */
  look(): Promise<string>;
}

const secret = (name: string, namespace: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  stringData,
});
const each = <T>(names: readonly string[], value: (name: string) => T) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<string, T>;

async function objects(folder: string, passwords: Record<string, string>) {
  const authority = await makeAuthority(folder);
  const names = ['postgresql', 'redis', 'nats'].map((name) => `DNS:${name}.${NAMESPACE}`);
  const { cert, key } = await authority.issue('servers', names);
  const text = (path: string) => readFile(path, 'utf8');
  const files = join(root, 'helm/warren/files');
  const nats = `port: 4222
http_port: 8222
tls { cert_file: /tls/tls.crt, key_file: /tls/tls.key }
jetstream { store_dir: /data }
include nats-accounts.conf
`;
  const data = {
    'nats.conf': nats,
    'nats-accounts.conf': await text(join(files, 'nats-accounts.conf')),
    'redis-users.conf': await text(join(files, 'redis-users.conf')),
  };
  await apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    secret('tls', NAMESPACE, { 'tls.crt': await text(cert), 'tls.key': await text(key) }),
    secret('passwords', NAMESPACE, passwords),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'files', namespace: NAMESPACE }, data },
  );
  return text(authority.ca);
}

/** Counts the services' TLS connections to PostgreSQL. @throws Error for one without TLS */
async function look(): Promise<string> {
  const sql = `SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl)
    FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename LIKE 'warren_%'`;
  const psql = ['psql', '--host=/tmp', '--username=postgres', '--no-align', '--tuples-only', `--command=${sql}`];
  const said = await kubectl('exec', 'deployment/postgresql', `--namespace=${NAMESPACE}`, '--', ...psql);
  const [tls = 0, plain = 0] = said.trim().split('|').map(Number);
  if (tls === 0 || plain > 0)
    throw new Error(`PostgreSQL: expected TLS alone, ${tls} connections are and ${plain} are not`);
  return `${tls} connections to PostgreSQL by TLS`;
}

/** Starts PostgreSQL, Redis and NATS outside the chart. */
export async function startServers(at: string): Promise<Servers> {
  const folder = join(at, NAMESPACE);
  await mkdir(folder, { recursive: true });
  const [redis, nats, admin] = [each(USERS, made), each(USERS, made), made()];
  const variables = (kind: string, of: Record<string, string>, quote: (text: string) => string) =>
    Object.entries(of).map(([name, value]) => [`${kind}_PASSWORD_${name.toUpperCase()}`, quote(value)]);
  const passwords = Object.fromEntries([
    ...variables('REDIS', redis, (text) => text),
    ...variables('NATS', nats, (text) => text),
    ['REDISCLI_AUTH', made()],
    ['POSTGRES_PASSWORD', admin],
  ]) as Record<string, string>;
  const ca = await objects(folder, passwords);
  await applyFile('servers.yaml');
  await rolledOut(NAMESPACE);
  return { ca, admin, redis, nats, look };
}

/** Creates the keys for the services' calls, as in docs/operations/credentials.md. */
function callers(): Record<string, string> {
  const pairs = SERVICES.map((name) => [name, generateKeyPairSync('ed25519')] as const);
  const keys = Object.fromEntries(
    pairs.map(([name, { privateKey }]) => [
      name,
      privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    ]),
  );
  const known = pairs.map(
    ([name, { publicKey }]) => `${name}=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
  );
  const secret = () => randomBytes(32).toString('hex');
  return { ...keys, keys: known.join(','), 'session-key': secret(), 'channel-key': secret() };
}

/** Creates the Secrets that the chart's README requires for external servers. */
export async function secretsOf({ ca, admin, redis, nats }: Servers, namespace: string): Promise<void> {
  const url = (role: string, password: string, database: string) =>
    `postgres://${role}:${password}@postgresql.${NAMESPACE}:5432/${database}`;
  const owners = Object.fromEntries(OWNERS.map((name) => [`${name}-url`, url(`warren_${name}`, made(), 'warren')]));
  const users = Object.fromEntries(Object.entries(redis).map(([name, value]) => [`redis-${name}`, value]));
  await apply(
    secret('databases', namespace, { ...owners, 'admin-url': url('postgres', admin, 'postgres') }),
    secret('redis', namespace, users),
    secret('nats', namespace, nats),
    secret('callers', namespace, callers()),
    secret('servers-ca', namespace, { 'ca.crt': ca }),
  );
}
