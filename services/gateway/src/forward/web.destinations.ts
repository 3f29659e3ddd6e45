import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { LRUCache } from 'lru-cache';
import { Destinations } from './destinations.ts';

const MAX_KNOWN = 20_000;
/** An address keeps its device. */
const DEVICE_MS = 60_000;
const NOBODY_MS = 3_000;
/** A device may move at any time; the replica that it has left passes requests on. */
const PLACE_MS = 1_000;

/** Which tunnels replica a request for a device's host goes to, remembered for a moment. */
@Injectable()
export class WebDestinations {
  private readonly devices = new LRUCache<string, { id: string }>({ max: MAX_KNOWN, ttl: DEVICE_MS });
  private readonly places = new LRUCache<string, Promise<string>>({ max: MAX_KNOWN, ttl: PLACE_MS });

  constructor(
    @InjectRpc(DevicesService) private readonly rpc: RpcClient<typeof DevicesService>,
    private readonly destinations: Destinations,
  ) {}

  /**
   * The address of the replica that holds the device, or of any when none does, which can say so.
   * @throws Fault `unavailable` when no replica lives, or nobody can say
   */
  of(slug: string): Promise<string> {
    let place = this.places.get(slug);
    if (!place) {
      place = this.find(slug);
      this.places.set(slug, place);
      place.catch(() => this.places.delete(slug));
    }
    return place;
  }

  /** Whether a device has this address. @throws Fault `unavailable` when nobody can say */
  async knows(slug: string): Promise<boolean> {
    return (await this.deviceOf(slug)) !== '';
  }

  /** That replica could not be reached. */
  forget(slug: string): void {
    this.places.delete(slug);
  }

  private async find(slug: string): Promise<string> {
    const id = await this.deviceOf(slug);
    return id === '' ? (await this.destinations.ofAgent()).address : this.destinations.ofDevice(id);
  }

  /** Empty for an address that no device has. */
  private async deviceOf(slug: string): Promise<string> {
    const known = this.devices.get(slug);
    if (known) return known.id;
    const id = await this.ask(slug);
    this.devices.set(slug, { id }, id === '' ? { ttl: NOBODY_MS } : {});
    return id;
  }

  private async ask(slug: string): Promise<string> {
    try {
      return (await this.rpc.findWebPage(serviceCaller('gateway'), { slug })).deviceId;
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return '';
      throw error;
    }
  }
}
