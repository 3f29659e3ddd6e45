/** Redis keys of the broker's directory. Times in it are milliseconds since 1970 by the clock of Redis. */
export const BROKER = {
  /** Sorted set of replica ids by the time at which their lease expires. */
  replicas: 'warren:replicas',
  /** The last epoch issued. */
  epoch: 'warren:epoch',
  /** Pub/sub channel: `{device id} {epoch}` for each claim, so that an older holder releases the device. */
  claims: 'warren:claims',
} as const;

/** Hash `{address, load, started, draining}` with a time to live; only tunnels replicas write it. */
export function replicaKey(id: string): string {
  return `replica:${id}`;
}

/** The id of the process that listens on an address now. */
export function replicaAtKey(address: string): string {
  return `replica-at:${address}`;
}

/** Hash `{replica, connection, epoch, instance, since}` of a device's newest link. */
export function deviceKey(id: string): string {
  return `device:${id}`;
}

/** Why a device may not dial now; with a time to live. */
export function cooldownKey(deviceId: string): string {
  return `device:${deviceId}:cooldown`;
}

/** Hash of the sockets that the people of an account have open, a field for each replica; only tunnels replicas write it. */
export function socketsKey(accountId: string): string {
  return `tunnels:sockets:${accountId}`;
}

/** A browser session by the hash of its secret; only identity reads and writes it. Others may see how long it lasts. */
export function sessionKey(hash: string): string {
  return `identity:session:${hash}`;
}

/** Terminals that are to be recorded. Tunnels writes these keys, audit reads them. */
export const RECORDINGS = {
  /** Sorted set of `{replica}/{device id}/{terminal}` by the time at which the announcement expires. */
  terminals: 'tunnels:recordings',
  /** Pub/sub channel: something was announced. */
  changed: 'tunnels:recordings-changed',
} as const;

/** What tenancy tells of its members to who keeps an answer about one. */
export const MEMBERS = {
  /** A random value, another one after each change and before that change is answered. Absent: nothing may be kept. */
  version: 'tenancy:members-version',
  /** How long an answer is kept at most, from before it was asked for. */
  keptMs: 2_000,
} as const;

/** Pub/sub channels of signals that end what is open; a process that misses one must find out by itself. */
export const SIGNALS = {
  /** Hashes of browser sessions that have ended, separated by spaces. */
  sessionsEnded: 'identity:sessions-ended',
} as const;
