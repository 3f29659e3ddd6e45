import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { EventFollower } from '@warren/platform/events/event.follower';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { LRUCache } from 'lru-cache';
import { WEB_HOSTS } from './web.tokens.ts';
import { webPage, type WebPage } from './web.page.ts';

const KNOWN_MS = 10_000;
const UNKNOWN_MS = 3_000;
const MAX_KNOWN = 20_000;

/** Where web addresses lead, from the devices service; remembered for a moment, and forgotten when a device changes. */
@Injectable()
export class WebPages implements OnModuleInit, OnModuleDestroy {
  private readonly known = new LRUCache<string, { page: WebPage | undefined }>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  private readonly slugs = new LRUCache<string, string>({ max: MAX_KNOWN });
  private readonly asked = new Map<string, Promise<WebPage | undefined>>();
  private stop: (() => void) | undefined;

  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    private readonly events: EventFollower,
    @Inject(WEB_HOSTS) private readonly hosts: DeviceHosts,
  ) {}

  onModuleInit(): void {
    this.stop = this.events.follow(({ kind }) => {
      if (kind.case === 'deviceChanged' || kind.case === 'deviceDeleted') this.forget(kind.value.deviceId);
    });
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  /** What is known without asking; undefined when it must be asked for. */
  peek(slug: string): WebPage | undefined {
    return this.known.get(slug)?.page;
  }

  /**
   * @returns undefined when no device has the address
   * @throws Fault `unavailable` when nobody can say
   */
  async find(slug: string): Promise<WebPage | undefined> {
    const known = this.known.get(slug);
    if (known) return known.page;
    let asking = this.asked.get(slug);
    if (!asking) {
      asking = this.ask(slug).finally(() => this.asked.delete(slug));
      this.asked.set(slug, asking);
    }
    return asking;
  }

  /** The same, asked now. */
  async refresh(slug: string): Promise<WebPage | undefined> {
    this.known.delete(slug);
    this.asked.delete(slug);
    return this.find(slug);
  }

  private forget(deviceId: string): void {
    const slug = this.slugs.get(deviceId);
    if (slug === undefined) return;
    this.known.delete(slug);
    // An answer that is under way may be older than the change.
    this.asked.delete(slug);
  }

  private async ask(slug: string): Promise<WebPage | undefined> {
    const page = await this.answer(slug);
    this.known.set(slug, { page }, page ? {} : { ttl: UNKNOWN_MS });
    if (page) this.slugs.set(page.deviceId, slug);
    return page;
  }

  private async answer(slug: string): Promise<WebPage | undefined> {
    try {
      return webPage(slug, await this.devices.findWebPage(serviceCaller('tunnels'), { slug }), this.hosts);
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}
