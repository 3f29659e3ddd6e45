import { until } from '@warren/infra/until';
import { Redis } from 'ioredis';
import type { ProcessName } from '../stack/facts.ts';
import type { Warren } from './warren.ts';

/** The hub's directory of devices, read as the gateways read it. */
export class Directory {
  private readonly redis: Redis;
  private readonly tunnels: Record<string, ProcessName>;

  constructor({ facts }: Warren) {
    this.redis = new Redis(facts.redis, { retryStrategy: () => 100 });
    this.redis.on('error', () => {});
    this.tunnels = facts.tunnels;
  }

  /** The process that holds a device. */
  async owner(device: string): Promise<ProcessName> {
    let owner: ProcessName | undefined;
    await until(async () => {
      const replica = await this.redis.hget(`device:${device}`, 'replica');
      const address = await this.redis.hget(`replica:${replica}`, 'address');
      return (owner = this.tunnels[address ?? '']);
    });
    if (!owner) throw new Error(`device ${device}: no replica holds it`);
    return owner;
  }

  /** Where a process of tunnels takes sockets. */
  addressOf(name: ProcessName): string {
    const address = Object.keys(this.tunnels).find((one) => this.tunnels[one] === name);
    if (address === undefined) throw new Error(`${name}: no process of tunnels`);
    return address;
  }

  close(): void {
    this.redis.disconnect();
  }
}
