import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';

const { ok, warn, fail, skip } = findings('redis');

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

/** What the services do with it, tried on a key of the doctor's own. */
const RIGHTS: Record<string, (client: Redis, key: string) => Promise<unknown>> = {
  write: (client, key) => client.set(key, '1', 'PX', 10_000),
  read: (client, key) => client.get(key),
  'run scripts': (client, key) => client.eval("return redis.call('INCR', KEYS[1])", 1, key),
  publish: (client) => client.publish('{warren}:doctor', ''),
  delete: (client, key) => client.del(key),
};

async function rights(client: Redis): Promise<Finding[]> {
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

/** What no service but identity may do: the commands are tried without being run (ACL DRYRUN, Redis 7). */
const FORBIDDEN = ['gateway', 'tenancy', 'devices', 'tunnels'].flatMap((user) => [
  [user, 'GET', 'identity:session:doctor'],
  [user, 'FLUSHALL'],
]);
const USERS_ADVICE = 'Give each service its own user of redis-users.conf (docs/secrets.md).';

async function users(client: Redis): Promise<Finding> {
  for (const command of FORBIDDEN) {
    const answer = await client.call('ACL', 'DRYRUN', ...command).then(String, reason);
    if (/not found/.test(answer)) return warn('services share one user, who may do everything', USERS_ADVICE);
    if (/NOPERM|unknown/i.test(answer))
      return skip('the rights of each service', 'Ask as the user doctor of redis-users.conf, of Redis 7.');
    if (answer === 'OK') return warn(`${command[0]} may ${command.slice(1).join(' ')}`, USERS_ADVICE);
  }
  return ok('services have their own users and rights');
}

function connect(url: string, options: Options): Redis {
  const { REDIS_USER: username, REDIS_PASSWORD: password, REDIS_CA_FILE: ca } = options;
  return new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(ca ? { tls: { ca: readFileSync(ca, 'utf8') } } : {}),
  });
}

/** Redis: reached, keeps what it is given, over a restart too, and lets the services do what they do. */
export async function checkRedis(options: Options): Promise<Finding[]> {
  if (!options.REDIS_URL) return [skip('Redis', 'Set REDIS_URL.')];
  if (options.REDIS_MODE !== 'standalone') {
    return [
      skip(`Redis as a ${options.REDIS_MODE}`, 'Look at one master at a time: REDIS_URL of it, without REDIS_MODE.'),
    ];
  }
  const client = connect(options.REDIS_URL, options);
  // What goes wrong is told by the command that it happens to; of a connection that fails this is all there is.
  let broken: Error | undefined;
  client.on('error', (error) => (broken = error));
  try {
    await client.connect();
    await client.ping();
    const looks = await Promise.all(
      [memory(client), persistence(client)].map((look) =>
        look.catch((error: unknown) => warn(reason(error), 'Let the user run INFO.')),
      ),
    );
    return [...looks, ...(await rights(client)), await users(client)];
  } catch (error) {
    return [fail(reason(broken ?? error), 'See whether Redis runs, and the address, user and password.')];
  } finally {
    client.disconnect();
  }
}
