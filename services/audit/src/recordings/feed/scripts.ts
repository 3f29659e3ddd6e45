import type { RedisLink } from '@warren/platform/redis/redis.module';

const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

/**
 * Renews this replica's lease and its claims, and claims terminals that nobody has, up to an even share of all. KEYS[1]: the replicas by the
 * end of their leases. KEYS[2]: the last claim's number. The others: the claims of the announced terminals. ARGV: the replica, milliseconds
 * of a lease, whether it takes new ones. Returns the share, and for each terminal the number of this replica's claim, or an empty text.
 * Numbers start from the clock, so they grow even after Redis has lost its data.
 */
const CLAIM = `${NOW}
local me, lease, takes = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1'
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if takes then redis.call('ZADD', KEYS[1], now + lease, me) else redis.call('ZREM', KEYS[1], me) end
local share = math.ceil((#KEYS - 2) / math.max(1, redis.call('ZCARD', KEYS[1])))
local answer = { tostring(share) }
local mine = 0
local free = {}
for index = 3, #KEYS do
  local held = redis.call('GET', KEYS[index])
  answer[index - 1] = ''
  if not held then
    free[#free + 1] = index
  else
    local owner, number = string.match(held, '^(%S+) (%d+)$')
    if owner == me then
      redis.call('PEXPIRE', KEYS[index], lease)
      answer[index - 1] = number
      mine = mine + 1
    end
  end
end
for _, index in ipairs(free) do
  if not takes or mine >= share then break end
  local number = string.format('%.0f', math.max(now, tonumber(redis.call('GET', KEYS[2]) or '0') + 1))
  redis.call('SET', KEYS[2], number)
  redis.call('SET', KEYS[index], me .. ' ' .. number, 'PX', lease)
  answer[index - 1] = number
  mine = mine + 1
end
return answer
`;

/** Gives up claims of ARGV[1], which are the keys from the second on; without its lease, if ARGV[2] is 1. */
const RELEASE = `
if ARGV[2] == '1' then redis.call('ZREM', KEYS[1], ARGV[1]) end
for index = 2, #KEYS do
  local held = redis.call('GET', KEYS[index])
  if held and string.match(held, '^(%S+) ') == ARGV[1] then redis.call('DEL', KEYS[index]) end
end
return 1
`;

const RECORDERS = 'audit:recorders';
const LAST = 'audit:recording-claim';
const claimKey = (member: string) => `audit:recording-claim:${member}`;

/** The claims of a replica, and how many are its share. */
export interface Claimed {
  share: number;
  /** Number of the claim, by terminal. */
  claims: Map<string, bigint>;
}

/** As CLAIM says. @throws Error if Redis does not answer */
export async function claim(
  redis: RedisLink,
  { replica, leaseMs, takes }: { replica: string; leaseMs: number; takes: boolean },
  members: readonly string[],
): Promise<Claimed> {
  const keys = [RECORDERS, LAST, ...members.map(claimKey)];
  const answer = await redis.client.eval(CLAIM, keys.length, ...keys, replica, leaseMs, takes ? 1 : 0);
  const [share, ...numbers] = answer as string[];
  const claims = new Map<string, bigint>();
  for (const [index, number] of numbers.entries()) {
    const member = members[index];
    if (number && member !== undefined) claims.set(member, BigInt(number));
  }
  return { share: Number(share), claims };
}

/** As RELEASE says. @throws Error if Redis does not answer */
export async function release(redis: RedisLink, replica: string, members: readonly string[], leaves: boolean) {
  const keys = [RECORDERS, ...members.map(claimKey)];
  await redis.client.eval(RELEASE, keys.length, ...keys, replica, leaves ? 1 : 0);
}
