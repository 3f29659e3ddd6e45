import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import type { RedisConfig } from '../config/common.ts';
import { readNamedFile } from '../config/file.ts';
import { ConfigError } from '../config/load.ts';

/** What a node of a cluster keeps together: with it all keys are in one slot, and commands of several keys are possible. */
const HASH_TAG = '{warren}:';

/** Longer than the longest blocking command: BullMQ's, 10 s. */
const MAX_SILENCE_MS = 30_000;

interface Address {
  host: string;
  port: number;
}

/**
 * Reconnects by sentinels until `disconnect`, or until `retryStrategy` gives no time. ioredis otherwise ends the connection for
 * good when a failover is announced while it resolves the master.
 */
class LastingRedis extends Redis {
  private left = false;

  constructor({ retryStrategy, ...options }: RedisOptions) {
    const retry = (attempt: number) => {
      const delay = retryStrategy?.(attempt);
      this.left ||= typeof delay !== 'number';
      return delay;
    };
    super({ ...options, ...(retryStrategy && { retryStrategy: retry }) });
    this.on('end', () => {
      if (!this.left) this.connect().catch(() => {});
    });
  }

  override disconnect(reconnect = false): void {
    this.left ||= !reconnect;
    super.disconnect(reconnect);
  }
}

/** Which Redis a process talks to, and how. Making it connects to nothing. */
export class RedisServer {
  /** What keys begin with, for a library that puts it there itself. */
  readonly keyPrefix: string;
  readonly clustered: boolean;
  private readonly url: URL;
  private readonly nodes: Address[];
  private readonly options: RedisOptions;

  /** @throws ConfigError for settings that contradict each other */
  constructor(config: RedisConfig) {
    this.url = new URL(config.REDIS_URL);
    this.nodes = (config.REDIS_NODES ?? []).map(addressOf);
    this.clustered = config.REDIS_MODE === 'cluster';
    this.keyPrefix = this.clustered ? HASH_TAG : '';
    this.options = { ...credentials(this.url, config), ...tls(this.url, config) };
    if (config.REDIS_MODE === 'standalone') this.options = { ...this.options, ...this.standalone(config) };
    if (config.REDIS_MODE === 'sentinel') this.options = { ...this.options, ...this.sentinel(config) };
    if (this.clustered && this.options.db) throw new ConfigError('REDIS_URL: a cluster has the database 0 only');
  }

  /** The options of a connection without a cluster, for a library that connects by itself and always has a command in flight. */
  connection(more: RedisOptions): RedisOptions {
    return { ...this.options, socketTimeout: MAX_SILENCE_MS, ...more };
  }

  /** A connection; to a cluster, connections to its nodes, which answer the same commands. */
  connect(more: RedisOptions): Redis {
    if (this.clustered) return this.cluster(more, this.keyPrefix) as unknown as Redis;
    const options = { ...this.options, ...more };
    return options.sentinels ? new LastingRedis({ ...options, failoverDetector: true }) : new Redis(options);
  }

  /** Connections to the nodes of a cluster, without a prefix of the keys unless one is given. */
  cluster({ retryStrategy, ...redisOptions }: RedisOptions, keyPrefix?: string): Cluster {
    const options: ClusterOptions = {
      // A node may name the others by host names that only DNS turns into addresses; TLS needs the names.
      dnsLookup: (address, callback) => callback(null, address),
      redisOptions: { ...this.options, ...redisOptions },
      clusterRetryStrategy: (attempt) => retryStrategy?.(attempt) as number,
      slotsRefreshTimeout: 2_000,
      ...(keyPrefix && { keyPrefix }),
    };
    return new Cluster([this.first(), ...this.nodes], options);
  }

  private first(): Address {
    return { host: this.url.hostname.replace(/^\[|\]$/g, ''), port: Number(this.url.port || 6379) };
  }

  private standalone(config: RedisConfig): RedisOptions {
    if (config.REDIS_NODES) throw new ConfigError('REDIS_NODES: expected nothing while REDIS_MODE is standalone');
    return this.first();
  }

  private sentinel(config: RedisConfig): RedisOptions {
    if (this.nodes.length === 0)
      throw new ConfigError('REDIS_NODES: expected the sentinels, as host:port (came: not set)');
    const { tls: secure } = this.options;
    return {
      sentinels: this.nodes,
      name: this.url.hostname,
      ...(config.REDIS_SENTINEL_PASSWORD && { sentinelPassword: config.REDIS_SENTINEL_PASSWORD }),
      ...(secure && { sentinelTLS: secure, enableTLSForSentinelMode: true }),
      sentinelRetryStrategy: (attempt) => Math.min(100 * attempt, 1_000),
    };
  }
}

function credentials(url: URL, config: RedisConfig): RedisOptions {
  const username = config.REDIS_USER ?? decodeURIComponent(url.username);
  const password = config.REDIS_PASSWORD ?? decodeURIComponent(url.password);
  const db = Number(url.pathname.slice(1) || 0);
  if (!Number.isInteger(db)) throw new ConfigError('REDIS_URL: expected the number of a database after the host');
  return { ...(username && { username }), ...(password && { password }), ...(db && { db }) };
}

function tls(url: URL, { REDIS_CA_FILE: file }: RedisConfig): RedisOptions {
  if (url.protocol === 'rediss:') return { tls: file ? { ca: readNamedFile('REDIS_CA_FILE', file) } : {} };
  if (file) throw new ConfigError('REDIS_CA_FILE: expected nothing unless REDIS_URL begins with rediss://');
  return {};
}

function addressOf(node: string): Address {
  const at = node.lastIndexOf(':');
  return { host: node.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(node.slice(at + 1)) };
}
