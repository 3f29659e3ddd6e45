import { MEMBERS, RECORDINGS, sessionKey } from '../broker/keys.ts';
import type { OBSERVER, ServiceName } from '../nats/calls.ts';

/** What a user of Redis does there. A cluster's keys begin with the hash tag of redis.server.ts; either way is covered. */
interface Access {
  /** Patterns of keys that it reads and writes. */
  keys: readonly string[];
  /** Patterns of keys that it reads only. */
  reads?: readonly string[];
  /** Patterns of keys of which it sees how long they last, and nothing else. */
  lifetimes?: readonly string[];
  /** Pub/sub channels that it both writes to and listens to. */
  channels?: readonly string[];
  /** Channels that it listens to only. */
  hears?: readonly string[];
  /** Further commands. */
  commands?: readonly string[];
}

const DIRECTORY = ['device:*', 'replica:*', 'warren:replicas'];
const SESSIONS_ENDED = 'identity:sessions-ended';

type RedisUser = ServiceName | typeof OBSERVER;

/** Who does what in Redis: keys belong to the service that writes them. */
export const REDIS_ACCESS: Readonly<Record<RedisUser, Access>> = {
  gateway: {
    keys: ['gateway:*'],
    reads: [...DIRECTORY, 'tunnels:sockets:*', MEMBERS.version],
    lifetimes: [sessionKey('*')],
    hears: [SESSIONS_ENDED],
  },
  identity: { keys: ['identity:*'], channels: [SESSIONS_ENDED] },
  tenancy: { keys: ['{tenancy}:queue:*', MEMBERS.version] },
  devices: { keys: ['{devices}:queue:*'], reads: ['warren:replicas'] },
  fleet: { keys: ['{fleet}:queue:*'] },
  tunnels: {
    keys: ['warren:*', 'device:*', 'replica:*', 'replica-at:*', 'agent-jti:*', 'tunnels:*'],
    channels: ['warren:claims', RECORDINGS.changed],
    hears: [SESSIONS_ENDED],
  },
  // Its claims of terminals to record.
  audit: {
    keys: ['audit:*'],
    reads: ['replica:*', RECORDINGS.terminals],
    hears: [RECORDINGS.changed],
  },
  // Asks what the others may do, and tries its own rights; changes and reads nothing of theirs.
  doctor: { keys: ['{warren}:doctor:*'], channels: ['{warren}:doctor'], commands: ['acl|dryrun', 'acl|whoami'] },
};

export const REDIS_USERS = Object.keys(REDIS_ACCESS) as (keyof typeof REDIS_ACCESS)[];

/**
 * Reading and writing, in transactions and scripts. Left out: what names no key and tells of all (SCAN), what blocks or empties the
 * server (`@dangerous`), and what changes scripts of others.
 */
const COMMANDS = [
  ...['+@read', '+@write', '+@transaction', '-@dangerous', '-@scripting', '-scan', '-randomkey', '-dbsize'],
  ...['+eval', '+evalsha', '+eval_ro', '+evalsha_ro', '+ping', '+hello', '+select', '+time', '+info', '+echo'],
  ...['+client|setname', '+client|id', '+cluster|slots', '+cluster|shards', '+cluster|info'],
  ...['+readonly', '+command'],
];

/** A user's rights as Redis' ACL rules (Redis 7): keys, channels and commands. The password is besides. */
export function redisRules(user: keyof typeof REDIS_ACCESS): string[] {
  const { keys, reads = [], lifetimes = [], channels = [], hears = [], commands = [] } = REDIS_ACCESS[user];
  const both = (pattern: string) => (pattern.startsWith('{') ? [pattern] : [pattern, `{warren}:${pattern}`]);
  return [
    ...['resetkeys', 'resetchannels', '-@all', ...COMMANDS],
    ...commands.map((command) => `+${command}`),
    ...(channels.length > 0 ? ['+publish', '+subscribe'] : []),
    '+unsubscribe',
    ...keys.flatMap(both).map((pattern) => `~${pattern}`),
    ...reads.flatMap(both).map((pattern) => `%R~${pattern}`),
    ...channels.map((channel) => `&${channel}`),
    // A selector: the content is for who writes it.
    ...lifetimes.map(
      (pattern) =>
        `(+pttl ${both(pattern)
          .map((one) => `%R~${one}`)
          .join(' ')})`,
    ),
    // A selector: publishing is for those channels alone that the user writes to.
    ...hears.map((channel) => `(+subscribe &${channel})`),
  ];
}

/** The name of the variable that holds a user's password when Redis starts. */
export function redisPasswordVariable(user: string): string {
  return `REDIS_PASSWORD_${user.toUpperCase()}`;
}

const HEAD = `# Who may do what in Redis: a user for each service with the keys, channels and commands that it needs.
# Made from services/platform/src/rights/redis.rights.ts by \`make redis-users\`; don't change it by hand.
# The names of variables stand for passwords: write them in before redis-server reads it. The user \`default\` stays who administers it.
`;

/** The users as a part of redis-server's configuration. */
export function redisUsers(
  password: (user: string) => string = (user) => `\${${redisPasswordVariable(user)}}`,
): string {
  return (
    HEAD + REDIS_USERS.map((user) => `user ${user} on >${password(user)} ${redisRules(user).join(' ')}\n`).join('')
  );
}
