/** When a session was last used, milliseconds since 1970. It outlives an expired session, and not one that a former release ended. */
export const usedKey = (hash: string) => `identity:session-used:${hash}`;

export const EXPIRY = {
  /** Sorted set of the hashes of browser sessions by the time at which they expire. */
  times: 'identity:sessions:expiring',
  /** Hash: the persons of these sessions, for the events of their ends. */
  persons: 'identity:sessions:expiring:persons',
} as const;

/** How long after its expiry the end of a session can be recorded. */
export const RECORDABLE_MS = 7 * 86_400_000;

/**
 * Ends a session, and stores the event if there was one.
 * KEYS: session, last use, waiting events, times, persons. ARGV: id and event, hash of the session.
 */
export const END = `
  local ended = redis.call('DEL', KEYS[1])
  redis.call('DEL', KEYS[2])
  redis.call('ZREM', KEYS[4], ARGV[3])
  redis.call('HDEL', KEYS[5], ARGV[3])
  if ended == 1 then redis.call('HSET', KEYS[3], ARGV[1], ARGV[2]) end
  return ended`;

/**
 * Moves the expiry of a browser session. Does nothing to one that has ended.
 * KEYS: session, last use, times, persons. ARGV: time left, now, time that the last use is kept, expiry, hash of the session, person.
 */
export const EXTEND = `
  if redis.call('PEXPIRE', KEYS[1], ARGV[1]) == 0 then return 0 end
  redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
  redis.call('ZADD', KEYS[3], ARGV[4], ARGV[5])
  redis.call('HSETNX', KEYS[4], ARGV[5], ARGV[6])
  return 1`;

/**
 * Records that a session expired. One that a former release extended gets its new time; one that a former release ended has no last use
 * any more, and no event.
 * KEYS: session, last use, times, persons, waiting events. ARGV: hash of the session, expiry as read, now, how long after it the last use is
 * kept, id and event (empty without a person).
 */
export const EXPIRE = `
  if redis.call('ZSCORE', KEYS[3], ARGV[1]) ~= ARGV[2] then return 0 end
  local left = redis.call('PTTL', KEYS[1])
  if left >= 0 then
    redis.call('ZADD', KEYS[3], string.format('%.0f', ARGV[3] + left + 1), ARGV[1])
    redis.call('PEXPIRE', KEYS[2], string.format('%.0f', left + ARGV[4]))
    return 0
  end
  redis.call('ZREM', KEYS[3], ARGV[1])
  redis.call('HDEL', KEYS[4], ARGV[1])
  if redis.call('DEL', KEYS[2]) == 0 or ARGV[5] == '' then return 0 end
  redis.call('HSET', KEYS[5], ARGV[5], ARGV[6])
  return 1`;
