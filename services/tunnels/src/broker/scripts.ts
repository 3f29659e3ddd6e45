import type { Redis, Result } from 'ioredis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    warrenArrive(replicas: string, at: string, replicaPrefix: string, id: string): Result<string, Context>;
    warrenRenew(
      replicas: string,
      replica: string,
      at: string,
      id: string,
      ttlMs: number,
      address: string,
      load: number,
      started: string,
      draining: string,
    ): Result<number, Context>;
    warrenLeave(replicas: string, replica: string, at: string, id: string): Result<number, Context>;
    warrenClaim(
      device: string,
      epoch: string,
      replica: string,
      connection: string,
      mine: string,
      channel: string,
      deviceId: string,
      instance: string,
    ): Result<string, Context>;
    warrenRelease(device: string, connection: string): Result<number, Context>;
    warrenArrival(proof: string, device: string, cooldown: string, seconds: number): Result<(string | null)[], Context>;
    warrenCooldown(
      cooldown: string,
      count: string,
      why: string,
      firstS: number,
      longestS: number,
      forgetS: number,
    ): Result<number, Context>;
  }
}

const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

/** KEYS[3] is the prefix of replicas' keys. A process that starts on the address of an earlier one ends that one's lease: it cannot be alive. */
const ARRIVE = `
local before = redis.call('GET', KEYS[2])
if before and before ~= ARGV[1] then
  redis.call('ZREM', KEYS[1], before)
  redis.call('DEL', KEYS[3] .. before)
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', 86400000)
return before or ''
`;

/** Returns 1 if the lease was held, 0 if it had expired or was lost: others may have released our devices. */
const RENEW = `${NOW}
local expiry = redis.call('ZSCORE', KEYS[1], ARGV[1])
local held = 0
if expiry and tonumber(expiry) > now then held = 1 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
redis.call('HSET', KEYS[2], 'address', ARGV[3], 'load', ARGV[4], 'started', ARGV[5], 'draining', ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('SET', KEYS[3], ARGV[1], 'PX', 86400000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 3600000)
return held
`;

const LEAVE = `
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
return 1
`;

/**
 * ARGV[3] is the link's epoch so far (0 for a new link). A new link always wins; a repeated claim loses to a newer one.
 * Epochs start from the clock, so they grow even after Redis has lost its data.
 */
const CLAIM = `${NOW}
local mine = tonumber(ARGV[3])
local held = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
if mine > 0 and held > mine then return '' end
local last = tonumber(redis.call('GET', KEYS[2]) or '0')
local epoch = string.format('%.0f', math.max(now, last + 1, mine + 1, held + 1))
redis.call('SET', KEYS[2], epoch)
redis.call('HSET', KEYS[1], 'replica', ARGV[1], 'connection', ARGV[2], 'epoch', epoch, 'instance', ARGV[6], 'since', string.format('%.0f', now))
redis.call('PUBLISH', ARGV[4], ARGV[5] .. ' ' .. epoch .. ' ' .. ARGV[2])
return epoch
`;

const RELEASE = `
if redis.call('HGET', KEYS[1], 'connection') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`;

/** Consumes a proof. Returns nothing for a replay, else the last holder of the device, and the reason and milliseconds of a cooldown. */
const ARRIVAL = `
if not redis.call('SET', KEYS[1], '1', 'EX', ARGV[1], 'NX') then return {} end
local answer = redis.call('HMGET', KEYS[2], 'replica', 'instance')
local why = redis.call('GET', KEYS[3])
return { answer[1] or '', answer[2] or '', why or '', tostring(why and redis.call('PTTL', KEYS[3]) or 0) }
`;

/** Doubles each time, until ARGV[4] seconds pass without one. */
const COOLDOWN = `
local count = redis.call('INCR', KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[4])
local seconds = math.min(tonumber(ARGV[3]), tonumber(ARGV[2]) * 2 ^ math.min(count - 1, 20))
redis.call('SET', KEYS[1], ARGV[1], 'PX', string.format('%.0f', seconds * 1000))
return seconds
`;

/** Registers the broker's scripts on a connection; each is atomic. */
export function defineBrokerScripts(redis: Redis): void {
  redis.defineCommand('warrenArrive', { numberOfKeys: 3, lua: ARRIVE });
  redis.defineCommand('warrenRenew', { numberOfKeys: 3, lua: RENEW });
  redis.defineCommand('warrenLeave', { numberOfKeys: 3, lua: LEAVE });
  redis.defineCommand('warrenClaim', { numberOfKeys: 2, lua: CLAIM });
  redis.defineCommand('warrenRelease', { numberOfKeys: 1, lua: RELEASE });
  redis.defineCommand('warrenArrival', { numberOfKeys: 3, lua: ARRIVAL });
  redis.defineCommand('warrenCooldown', { numberOfKeys: 2, lua: COOLDOWN });
}
