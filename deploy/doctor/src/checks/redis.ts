import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';

const { ok, warn, fail, skip } = findings('redis');
/** Total time limit: a cluster without one of its nodes retries for long. */
const LOOK_MS = 20_000;

const field = (info: string, name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];

async function memory(client: Redis): Promise<Finding> {
  const policy = field(await client.info('memory'), 'maxmemory_policy');
  if (policy === undefined)
    return warn('it does not tell its eviction policy', 'See that maxmemory-policy is noeviction.');
  if (policy === 'noeviction') return ok('it evicts nothing');
  return fail(
    `maxmemory-policy is ${policy}`,
    'Set it to noeviction: sessions, used sign-ins and mail in the queue would be forgotten.',
  );
}

async function persistence(client: Redis): Promise<Finding> {
  const info = await client.info('persistence');
  if (field(info, 'aof_enabled') === '1') {
    return field(info, 'aof_last_write_status') === 'ok'
      ? ok('it writes an append-only file')
      : fail('its append-only file can’t be written', 'See its disk.');
  }
  return warn(
    'it keeps no append-only file',
    'A restart signs everybody out and forgets mail in the queue: set appendonly yes.',
  );
}

/** Tries the services' commands on a key of the doctor. */
const RIGHTS: Record<string, (client: Redis | Cluster, key: string) => Promise<unknown>> = {
  write: (client, key) => client.set(key, '1', 'PX', 10_000),
  read: (client, key) => client.get(key),
  'run scripts': (client, key) => client.eval("return redis.call('INCR', KEYS[1])", 1, key),
  publish: (client) => client.publish('{warren}:doctor', ''),
  delete: (client, key) => client.del(key),
};

async function rights(client: Redis | Cluster): Promise<Finding[]> {
  const key = `{warren}:doctor:${randomBytes(6).toString('hex')}`;
  const found: Finding[] = [];
  for (const [what, attempt] of Object.entries(RIGHTS)) {
    await attempt(client, key).catch((error: unknown) =>
      found.push(
        fail(`not allowed to ${what}: ${reason(error)}`, 'Give the services’ user these rights (ACL SETUSER).'),
      ),
    );
  }
  return found.length > 0 ? found : [ok('reading, writing, scripts and publishing are allowed')];
}

/** Checks commands that only identity may use, without running them (ACL DRYRUN, Redis 7). */
const FORBIDDEN = ['gateway', 'tenancy', 'devices', 'fleet', 'tunnels'].flatMap((user) => [
  [user, 'GET', 'identity:session:doctor'],
  [user, 'FLUSHALL'],
]);
const USERS_ADVICE = 'Give each service its own user of redis-users.conf (docs/operations/credentials.md).';

async function users(client: Redis | Cluster): Promise<Finding> {
  for (const command of FORBIDDEN) {
    const answer = await client.call('ACL', 'DRYRUN', ...command).then(String, reason);
    if (/not found/.test(answer)) return warn('services share one user, who may do everything', USERS_ADVICE);
    if (/NOPERM|unknown/i.test(answer))
      return skip('the rights of each service', 'Ask as the user doctor of redis-users.conf, of Redis 7.');
    if (answer === 'OK') return warn(`${command[0]} may ${command.slice(1).join(' ')}`, USERS_ADVICE);
  }
  return ok('services have their own users and rights');
}

interface Servers {
  client: Redis | Cluster;
  /** The nodes that accept writes. */
  masters: () => Redis[];
  /** Resolves when the client is ready. */
  ready: () => Promise<unknown>;
  /** Checks the topology of the servers. */
  together: () => Promise<Finding[]>;
}

function addressOf(node: string): { host: string; port: number } {
  const at = node.lastIndexOf(':');
  return { host: node.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(node.slice(at + 1)) };
}

function connectionOf(options: Options): RedisOptions {
  const { REDIS_USER, REDIS_PASSWORD, REDIS_CA_FILE: ca, REDIS_URL = '' } = options;
  const url = new URL(REDIS_URL);
  const username = REDIS_USER ?? decodeURIComponent(url.username);
  const password = REDIS_PASSWORD ?? decodeURIComponent(url.password);
  return {
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(url.protocol === 'rediss:' ? { tls: ca ? { ca: readFileSync(ca, 'utf8') } : {} } : {}),
  };
}

function standalone(options: Options): Servers {
  const { pathname } = new URL(options.REDIS_URL ?? '');
  const db = Number(pathname.slice(1) || 0);
  const client = new Redis({ ...connectionOf(options), ...at(options), ...(db ? { db } : {}) });
  return { client, masters: () => [client], ready: () => client.connect(), together: async () => [] };
}

function at({ REDIS_URL = '' }: Options): { host: string; port: number } {
  const { hostname, port } = new URL(REDIS_URL);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) };
}

/** The host of the URL is the name of the sentinels' master, as for the services. */
function sentinel(options: Options): Servers {
  const sentinels = (options.REDIS_NODES ?? []).map(addressOf);
  const { tls, ...connection } = connectionOf(options);
  const name = at(options).host;
  const { REDIS_SENTINEL_PASSWORD: sentinelPassword } = options;
  const secure = tls ? { sentinelTLS: tls, enableTLSForSentinelMode: true, tls } : {};
  const client = new Redis({
    ...connection,
    ...secure,
    sentinels,
    name,
    sentinelRetryStrategy: () => null,
    ...(sentinelPassword ? { sentinelPassword } : {}),
  });
  const quorum = async (one: { host: string; port: number }): Promise<Finding> => {
    const asked = new Redis({
      ...connection,
      ...one,
      username: undefined,
      password: sentinelPassword,
      ...(tls ? { tls } : {}),
    });
    let broken: Error | undefined;
    asked.on('error', (error) => (broken = error));
    const where = `sentinel ${one.host}:${one.port}`;
    try {
      await asked.connect();
      await asked.call('SENTINEL', 'CKQUORUM', name);
      return ok(`${where} can agree on a new master of ${name}`);
    } catch (error) {
      return fail(
        `${where}: ${reason(broken ?? error)}`,
        'Without enough sentinels nobody takes a lost master’s place.',
      );
    } finally {
      asked.disconnect();
    }
  };
  return {
    client,
    masters: () => [client],
    ready: () => client.connect(),
    together: () => Promise.all(sentinels.map(quorum)),
  };
}

function cluster(options: Options): Servers {
  const nodes = [at(options), ...(options.REDIS_NODES ?? []).map(addressOf)];
  const client = new Cluster(nodes, {
    lazyConnect: true,
    // Also checks a cluster without all slots.
    enableReadyCheck: false,
    // TLS needs host names, so they are not resolved before.
    dnsLookup: (address, callback) => callback(null, address),
    redisOptions: connectionOf(options),
    clusterRetryStrategy: () => null,
  });
  const masters = () => client.nodes('master');
  const together = async (): Promise<Finding[]> => {
    const info = String(await client.call('CLUSTER', 'INFO'));
    const [state, slots] = [field(info, 'cluster_state'), field(info, 'cluster_slots_ok')];
    const found = `a cluster of ${masters().length} masters and ${client.nodes('slave').length} replicas`;
    if (state !== 'ok')
      return [fail(`${found} is in state ${state}: ${slots} of 16384 slots are served`, 'See its nodes.')];
    if (client.nodes('slave').length === 0)
      return [warn(found, 'Give each master a replica: without one, a lost node takes its keys with it.')];
    return [ok(found)];
  };
  return { client, masters, ready: () => client.connect(), together };
}

/** Keeps the findings from before the timeout. */
function undecided(found: Finding[]): void {
  found.push(fail(`no answer in ${LOOK_MS / 1_000} s`, 'See the servers and the way to them.'));
}

const MODES = { standalone, sentinel, cluster } as const;

async function lookAt(master: Redis, many: boolean): Promise<Finding[]> {
  const where = many ? `${master.options.host}:${master.options.port}: ` : '';
  const lost = await master.ping().then(() => undefined, reason);
  if (lost !== undefined)
    return [fail(`${where}${lost}`, 'See this server: the keys that it has can’t be used meanwhile.')];
  const found = await Promise.all(
    [memory(master), persistence(master)].map((look) =>
      look.catch((error: unknown) => warn(reason(error), 'Let the user run INFO.')),
    ),
  );
  return found.map((finding) => ({ ...finding, detail: `${where}${finding.detail}` }));
}

/** Checks Redis, a single master or a cluster: the connection, persistence, eviction, and the services' permissions. */
export async function checkRedis(options: Options): Promise<Finding[]> {
  const { REDIS_URL, REDIS_MODE, REDIS_NODES } = options;
  if (!REDIS_URL) return [skip('Redis', 'Set REDIS_URL.')];
  if (REDIS_MODE === 'sentinel' && !REDIS_NODES)
    return [
      fail('REDIS_MODE is sentinel, and no sentinel is known', 'Set REDIS_NODES to the sentinels, as host:port.'),
    ];
  const { client, masters, ready, together } = MODES[REDIS_MODE](options);
  // A failed command reports its own error; this only reports failed connections.
  let broken: Error | undefined;
  client.on('error', (error: Error) => (broken = error));
  const found: Finding[] = [];
  const look = async () => {
    await ready();
    const all = masters();
    const looks = await Promise.all(all.map((master) => lookAt(master, all.length > 1)));
    const joined = await together();
    found.push(...joined, ...looks.flat());
    if (joined.some(({ status }) => status === 'fail')) return;
    found.push(...(await rights(client)), await users(client));
  };
  const late = new AbortController();
  try {
    await Promise.race([look(), wait(LOOK_MS, undefined, { signal: late.signal }).then(() => undecided(found))]);
    return [...found];
  } catch (error) {
    return [fail(reason(broken ?? error), 'See whether Redis runs, and the address, user and password.')];
  } finally {
    late.abort();
    client.disconnect();
  }
}
