import { Injectable } from '@nestjs/common';
import type { ChainableCommander } from 'ioredis';
import { RedisLink } from '../redis/redis.module.ts';
import { BROKER, deviceKey, replicaKey } from './keys.ts';

/** The replica that holds a device's link. */
export interface Location {
  replica: string;
  /** The replica's data-plane origin, `http://host:port`. */
  address: string;
  /** The link's id: `device_sid` of a socket token. */
  connection: string;
  epoch: bigint;
}

/** A tunnels replica with a valid lease. */
export interface Replica {
  id: string;
  address: string;
  /** The number of its links. */
  load: number;
  /** True while it hands its devices over, and accepts no new ones. */
  draining: boolean;
}

/** Reads the broker's directory (architecture, 'The broker'). It never writes. */
@Injectable()
export class ReplicaDirectory {
  constructor(private readonly redis: RedisLink) {}

  /**
   * Finds the live replica that holds a device; undefined if the device is offline.
   * @throws Error if Redis does not answer
   */
  async locate(deviceId: string): Promise<Location | undefined> {
    const entry = await this.redis.client.hgetall(deviceKey(deviceId));
    const { replica, connection, epoch } = entry;
    if (!replica || !connection || !epoch) return undefined;
    const reads = this.redis.client.pipeline();
    reads.time().zscore(BROKER.replicas, replica).hget(replicaKey(replica), 'address');
    const [time, expiry, address] = await results<[[string, string], string | null, string | null]>(reads);
    if (!address || expiry === null || Number(expiry) <= milliseconds(time)) return undefined;
    return { replica, address, connection, epoch: BigInt(epoch) };
  }

  /**
   * Lists all replicas with a valid lease.
   * @throws Error when Redis does not answer
   */
  async liveReplicas(): Promise<Replica[]> {
    const { ids } = await liveReplicaIds(this.redis);
    if (ids.length === 0) return [];
    const reads = this.redis.client.pipeline();
    for (const id of ids) reads.hgetall(replicaKey(id));
    const hashes = await results<Record<string, string>[]>(reads);
    return hashes.flatMap((hash, index) => {
      const id = ids[index];
      if (!id || !hash['address']) return [];
      return [{ id, address: hash['address'], load: Number(hash['load'] ?? 0), draining: hash['draining'] === '1' }];
    });
  }
}

/**
 * The ids of the replicas whose lease holds, and when that was, in milliseconds since 1970 by the clock of Redis: in a cluster,
 * by that of the node that holds the directory, to which the whole pipeline goes.
 * @throws Error when Redis does not answer
 */
export async function liveReplicaIds(redis: RedisLink): Promise<{ now: number; ids: string[] }> {
  const reads = redis.client.pipeline().time().zrangebyscore(BROKER.replicas, '-inf', '+inf', 'WITHSCORES');
  const [time, leases] = await results<[[string, string], string[]]>(reads);
  const now = milliseconds(time);
  return { now, ids: leases.filter((_text, at) => at % 2 === 0 && Number(leases[at + 1]) > now) };
}

/** The results of a pipeline; throws the error of the first failed command. */
async function results<T>(pipeline: ChainableCommander): Promise<T> {
  const answers = (await pipeline.exec()) ?? [];
  for (const [error] of answers) if (error) throw error;
  return answers.map(([, value]) => value) as T;
}

function milliseconds([seconds, micros]: [string, string]): number {
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
