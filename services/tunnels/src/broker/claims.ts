import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BROKER, cooldownKey, deviceKey } from '@warren/platform/broker/keys';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { Lease } from './lease.ts';

/** A claim by any replica: a replica with an older link of that device closes it. */
export interface ClaimNotice {
  deviceId: string;
  epoch: bigint;
  connection: string;
}

export interface ClaimListener {
  noticed: (notice: ClaimNotice) => void;
  /** Notices may have been lost, as after every break of the connection: read what counts. */
  missed: () => void;
}

/** A link that claims its device. */
export interface Claimant {
  deviceId: string;
  /** The connection's id. */
  id: string;
  instance: string;
}

/** Where the newest link of a device is, and of which process of an agent. */
export interface Holder {
  replica: string;
  instance: string;
}

/** The device may not dial for so long, because of what it sent. */
export interface Cooldown {
  cooldown: string;
  seconds: number;
}

/** What one dial may be made with, once. */
export interface Proof {
  /** Names the proof among all. */
  id: string;
  /** For how long it must not be forgotten that it was used. */
  seconds: number;
}

/** Which link of a device counts: the newest, decided by Redis in one step. */
@Injectable()
export class Claims implements OnApplicationShutdown {
  private readonly subscriber;

  constructor(
    private readonly redis: RedisLink,
    private readonly lease: Lease,
  ) {
    this.subscriber = redis.subscriber();
  }

  /**
   * Makes a new link the device's only one.
   * @returns its epoch, greater than that of any claim before it
   * @throws Fault `unavailable` without a lease, or when Redis does not answer
   */
  async claim(claimant: Claimant): Promise<bigint> {
    const epoch = await this.run(claimant, 0n);
    if (epoch === undefined) throw new Fault('internal', 'A new link was not the newest.');
    return epoch;
  }

  /**
   * Claims again for a link that has been there all the time while the directory was not.
   * @param epoch the link's epoch until now
   * @returns its new epoch; undefined when a newer link holds the device
   */
  reclaim(claimant: Claimant, epoch: bigint): Promise<bigint | undefined> {
    return this.run(claimant, epoch);
  }

  /**
   * Consumes a proof and returns the last holder of the device; the caller finds out whether that holder lives.
   * @returns `used` for a replayed proof; a cooldown while the device has one
   * @throws Fault `unavailable` if Redis does not answer
   */
  async arrive(deviceId: string, { id, seconds }: Proof): Promise<Holder | Cooldown | 'used' | undefined> {
    try {
      const keys = [`agent-jti:${id}`, deviceKey(deviceId), cooldownKey(deviceId)] as const;
      const answer = await this.redis.client.warrenArrival(...keys, seconds);
      if (answer.length === 0) return 'used';
      const [replica, instance, cooldown, left] = answer;
      if (cooldown) return { cooldown, seconds: Math.ceil(Number(left) / 1_000) };
      return replica ? { replica, instance: instance ?? '' } : undefined;
    } catch (cause) {
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause, retryAfter: 2 });
    }
  }

  /**
   * Removes the claim if it still is this connection's.
   * @returns false when a newer link holds the device
   */
  async release(deviceId: string, connection: string): Promise<boolean> {
    return (await this.redis.client.warrenRelease(deviceKey(deviceId), connection)) === 1;
  }

  /** Calls back for the claims of all replicas, this one's own too. */
  watch({ noticed, missed }: ClaimListener): void {
    this.subscriber.on('message', (_channel, text) => {
      const [deviceId, epoch, connection] = text.split(' ');
      if (deviceId && epoch && connection) noticed({ deviceId, epoch: BigInt(epoch), connection });
    });
    // With each connection: a subscription that failed would never be made up for.
    const listen = async () => {
      await this.subscriber.subscribe(BROKER.claims);
      missed();
    };
    this.subscriber.on('ready', () => void listen().catch(() => {}));
    void listen().catch(() => {});
  }

  /**
   * Reads which link of a device counts.
   * @returns undefined when none is there
   * @throws Error when Redis does not answer
   */
  async newest(deviceId: string): Promise<ClaimNotice | undefined> {
    const [epoch, connection] = await this.redis.client.hmget(deviceKey(deviceId), 'epoch', 'connection');
    return epoch && connection ? { deviceId, epoch: BigInt(epoch), connection } : undefined;
  }

  onApplicationShutdown(): void {
    this.subscriber.disconnect();
  }

  private async run({ deviceId, id, instance }: Claimant, mine: bigint): Promise<bigint | undefined> {
    if (!this.lease.holds) throw new Fault('unavailable', 'This replica has lost its lease.', { retryAfter: 2 });
    try {
      const epoch = await this.redis.client.warrenClaim(
        deviceKey(deviceId),
        BROKER.epoch,
        this.lease.replica,
        id,
        String(mine),
        BROKER.claims,
        deviceId,
        instance,
      );
      return epoch === '' ? undefined : BigInt(epoch);
    } catch (cause) {
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause, retryAfter: 2 });
    }
  }
}
