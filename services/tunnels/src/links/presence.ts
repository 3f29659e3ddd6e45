import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable, Logger } from '@nestjs/common';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { LinkChangeSchema, type LinkChange } from '@warren/proto/events/v1/events';
import { setTimeout as wait } from 'node:timers/promises';
import { Lease } from '../broker/lease.ts';
import type { AgentLink } from './link.ts';

const AT_ONCE = 500;
/** Batches changes after an event: each event costs its consumers a transaction. */
const REST_MS = 100;
const MAX_RETRY_MS = 2_000;

/**
 * Publishes which devices connected and disconnected: the first change at once, later ones batched. Keeps only the latest change of each
 * device until the bus accepts it, so a bus that is down costs bounded memory.
 */
@Injectable()
export class Presence {
  private readonly log = new Logger(Presence.name);
  private readonly news = new Map<string, LinkChange>();
  private running: Promise<void> | undefined;

  constructor(
    private readonly bus: EventBus,
    private readonly lease: Lease,
  ) {}

  connected(link: AgentLink): void {
    const { deviceId, epoch, publicIp } = link;
    link.announcedAt = new Date();
    const at = timestampFromDate(link.announcedAt);
    this.enqueue(create(LinkChangeSchema, { deviceId, epoch, publicIp, connected: true, at }));
  }

  disconnected({ deviceId, epoch, goneAt }: AgentLink): void {
    const at = timestampFromDate(goneAt);
    this.enqueue(create(LinkChangeSchema, { deviceId, epoch, connected: false, at }));
  }

  /** Resolves when all changes are published, or after `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    await Promise.race([this.running, wait(timeoutMs, undefined, { ref: false })]);
  }

  private enqueue(change: LinkChange): void {
    this.news.set(change.deviceId, change);
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    for (let failures = 0; this.news.size > 0;) {
      if (await this.publish([...this.news.values()].slice(0, AT_ONCE))) {
        failures = 0;
        await wait(REST_MS);
        continue;
      }
      if (failures++ === 0) this.log.warn('The bus does not accept presence changes; retrying until it does.');
      await wait(Math.min(100 * 2 ** failures, MAX_RETRY_MS) * (0.5 + Math.random() / 2));
    }
  }

  private async publish(links: LinkChange[]): Promise<boolean> {
    try {
      await this.bus.publish(
        newEvent({ kind: { case: 'linksChanged', value: { replica: this.lease.replica, links } } }),
      );
    } catch {
      return false;
    }
    for (const link of links) if (this.news.get(link.deviceId) === link) this.news.delete(link.deviceId);
    return true;
  }
}
