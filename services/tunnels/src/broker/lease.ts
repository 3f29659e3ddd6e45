import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { BROKER, replicaAtKey, replicaKey } from '@warren/platform/broker/keys';
import { HealthRegistry } from '@warren/platform/health/health.registry';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { randomUUID } from 'node:crypto';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { defineBrokerScripts } from './scripts.ts';

const RENEW_MS = 1_000;
const LEASE_MS = 4_000;

/** Called after each renewal; `held` is false if the lease had expired in between, or was lost with Redis's data. */
type RenewedListener = (held: boolean) => void;

/**
 * This process's lease in the directory of replicas, renewed every second. A process whose lease has expired must consider itself
 * dead, as the others do.
 */
@Injectable()
export class Lease implements OnModuleInit {
  /** New for each start, so that links of an earlier process on this address are known to be closed. */
  readonly replica = randomUUID();
  private readonly log = new Logger(Lease.name);
  private readonly started = new Date().toISOString();
  private readonly listeners: RenewedListener[] = [];
  private readonly lossListeners: (() => void)[] = [];
  private readonly at: string;
  private load: () => number = () => 0;
  private arrived = false;
  private renewedAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private state: 'serving' | 'draining' | 'left' = 'serving';

  constructor(
    private readonly redis: RedisLink,
    @Inject(TUNNELS_CONFIG) private readonly config: TunnelsConfig,
    health: HealthRegistry,
  ) {
    this.at = replicaAtKey(config.ADVERTISED_URL);
    defineBrokerScripts(redis.client);
    health.add('lease', async () => {
      if (!this.holds) throw new Error('the lease could not be renewed');
    });
  }

  async onModuleInit(): Promise<void> {
    await this.tick();
  }

  /** Whether the others consider this replica alive. */
  get holds(): boolean {
    return this.state !== 'left' && performance.now() - this.renewedAt < LEASE_MS;
  }

  /** Whether this replica accepts new devices and sessions. */
  get serving(): boolean {
    return this.state === 'serving' && this.holds;
  }

  get draining(): boolean {
    return this.state !== 'serving';
  }

  /** The number of links of this replica, published to the gateways. */
  reportLoad(load: () => number): void {
    this.load = load;
  }

  onRenewed(listener: RenewedListener): void {
    this.listeners.push(listener);
  }

  /** Calls back each time that a renewal fails after the lease has expired. */
  onLost(listener: () => void): void {
    this.lossListeners.push(listener);
  }

  /** Keeps the lease, but makes gateways send new work to other replicas. */
  async drain(): Promise<void> {
    this.state = 'draining';
    await this.tick();
  }

  /** Gives up the lease: devices that are still claimed here count as disconnected from now on. */
  async leave(): Promise<void> {
    this.state = 'left';
    clearTimeout(this.timer);
    const { replica, at } = this;
    await this.redis.client.warrenLeave(BROKER.replicas, replicaKey(replica), at, replica).catch(() => {});
  }

  private async tick(): Promise<void> {
    clearTimeout(this.timer);
    try {
      await this.renew();
    } catch (error) {
      this.log.warn({ err: error }, 'The lease could not be renewed.');
      if (!this.holds && this.state === 'serving') for (const listener of this.lossListeners) listener();
    }
    clearTimeout(this.timer);
    if (this.state !== 'left') this.timer = setTimeout(() => void this.tick(), RENEW_MS).unref();
  }

  private async renew(): Promise<void> {
    const { client } = this.redis;
    const asked = performance.now();
    if (!this.arrived) await client.warrenArrive(BROKER.replicas, this.at, replicaKey(''), this.replica);
    const held = await client.warrenRenew(
      BROKER.replicas,
      replicaKey(this.replica),
      this.at,
      this.replica,
      LEASE_MS,
      this.config.ADVERTISED_URL,
      this.load(),
      this.started,
      this.draining ? '1' : '0',
    );
    if (this.state === 'left') return;
    this.renewedAt = asked;
    const first = !this.arrived;
    this.arrived = true;
    for (const listener of this.listeners) listener(first || held === 1);
  }
}
