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
  /** Notices may have been lost, as after every reconnect: read the current claims. */
  missed: () => void;
}

/** A link that claims its device. */
export interface Claimant {
  deviceId: string;
  /** The link's id. */
  id: string;
  instance: string;
}

/** The replica with the newest link of a device, and the agent's instance. */
export interface Holder {
  replica: string;
  instance: string;
}

/** How long the device may not dial after a breach. */
export interface Cooldown {
  cooldown: string;
  seconds: number;
}

/** A single-use proof of a dial. */
export interface Proof {
  /** Unique id of the proof. */
  id: string;
  /** How long its use must be remembered. */
  seconds: number;
}

/** Decides atomically in Redis which link of a device is the newest. */
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
   * @returns its epoch, greater than that of any earlier claim
   * @throws Fault `unavailable` without a lease, or if Redis does not answer
   */
  async claim(claimant: Claimant): Promise<bigint> {
    const epoch = await this.run(claimant, 0n);
    if (epoch === undefined) throw new Fault('internal', 'A new link was not the newest.');
    return epoch;
  }

  /**
   * Claims again for a link that stayed open while the directory was down.
   * @param epoch the link's last epoch
   * @returns its new epoch; undefined if a newer link holds the device
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
   * Removes the claim if this link still holds it.
   * @returns false if a newer link holds the device
   */
  async release(deviceId: string, connection: string): Promise<boolean> {
    return (await this.redis.client.warrenRelease(deviceKey(deviceId), connection)) === 1;
  }

  /** Calls back for the claims of all replicas, including this one. */
  watch({ noticed, missed }: ClaimListener): void {
    this.subscriber.on('message', (_channel, text) => {
      const [deviceId, epoch, connection] = text.split(' ');
      if (deviceId && epoch && connection) noticed({ deviceId, epoch: BigInt(epoch), connection });
    });
    // Subscribes on each connection: nothing retries a failed subscription.
    const listen = async () => {
      await this.subscriber.subscribe(BROKER.claims);
      missed();
    };
    this.subscriber.on('ready', () => void listen().catch(() => {}));
    void listen().catch(() => {});
  }

  /**
   * Reads the newest link of a device.
   * @returns undefined without one
   * @throws Error if Redis does not answer
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
