import { Injectable, Logger } from '@nestjs/common';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type Event } from '@warren/platform/events/event';
import { setTimeout as wait } from 'node:timers/promises';
import { Lease } from '../broker/lease.ts';
import type { AgentLink } from './link.ts';

const AT_ONCE = 64;
const MAX_RETRY_MS = 2_000;

/**
 * Tells the other services which devices came and went. For each device the latest news is kept until the bus has it, so a
 * bus that is away for long costs one event a device and the last word is still right.
 */
@Injectable()
export class Presence {
  private readonly log = new Logger(Presence.name);
  private readonly news = new Map<string, Event>();
  private running: Promise<void> | undefined;

  constructor(
    private readonly bus: EventBus,
    private readonly lease: Lease,
  ) {}

  connected({ deviceId, accountId, epoch, publicIp }: AgentLink): void {
    const value = { deviceId, replica: this.lease.replica, epoch, publicIp };
    this.tell(deviceId, newEvent({ accountId, kind: { case: 'deviceConnected', value } }));
  }

  disconnected({ deviceId, accountId, epoch }: AgentLink): void {
    const value = { deviceId, replica: this.lease.replica, epoch };
    this.tell(deviceId, newEvent({ accountId, kind: { case: 'deviceDisconnected', value } }));
  }

  /** Resolves when everything is told, or after `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    await Promise.race([this.running, wait(timeoutMs, undefined, { ref: false })]);
  }

  private tell(deviceId: string, event: Event): void {
    this.news.set(deviceId, event);
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    for (let failures = 0; this.news.size > 0;) {
      const batch = [...this.news].slice(0, AT_ONCE);
      const outcomes = await Promise.all(batch.map(([deviceId, event]) => this.publish(deviceId, event)));
      if (outcomes.every(Boolean)) {
        failures = 0;
        continue;
      }
      if (failures++ === 0) this.log.warn('The bus does not take news of devices; trying until it does.');
      await wait(Math.min(100 * 2 ** failures, MAX_RETRY_MS) * (0.5 + Math.random() / 2));
    }
  }

  private async publish(deviceId: string, event: Event): Promise<boolean> {
    try {
      await this.bus.publish(event);
    } catch {
      return false;
    }
    if (this.news.get(deviceId) === event) this.news.delete(deviceId);
    return true;
  }
}
