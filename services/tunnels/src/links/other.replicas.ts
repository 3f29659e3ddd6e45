import { Injectable } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { passOn, type HeaderLines } from '@warren/transport/header.lines';
import { askUpgrade, passAnswer, splice, type Answer, type Upgrade } from '@warren/transport/upgrade';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';
import { Lease } from '../broker/lease.ts';
import { ClientAddress } from '../client.address.ts';
import { passedOpen } from '../telemetry/metrics.ts';
import { Links } from './links.ts';

/** Marks a request that another replica has forwarded; it is not forwarded again. */
export const PASSED = 'warren-passed';
const MAX_KNOWN = 20_000;
/** Devices move rarely, and a replica that a device has left says so. */
const PLACE_MS = 1_000;
const RETRY_S = 1;

/** Kinds of forwarded connections: a browser's socket, or an upgrade of a web service. */
export type PassedKind = 'socket' | 'web';

/** Locates devices that other replicas hold, and forwards connections to them. */
@Injectable()
export class OtherReplicas {
  private readonly places = new LRUCache<string, { replica: string; address: string }>({
    max: MAX_KNOWN,
    ttl: PLACE_MS,
  });
  private readonly open = new Set<Upgrade['socket']>();

  constructor(
    private readonly links: Links,
    private readonly lease: Lease,
    private readonly directory: ReplicaDirectory,
    private readonly address: ClientAddress,
  ) {}

  /** The number of forwarded connections. */
  get passed(): number {
    return this.open.size;
  }

  /**
   * The address of the replica that holds a device, if it is another one; at most a second old.
   * @throws Fault `unavailable` if the directory does not answer
   */
  async holding(deviceId: string): Promise<string | undefined> {
    if (this.links.get(deviceId)) return undefined;
    const place = this.places.get(deviceId) ?? (await this.locate(deviceId));
    return place && place.replica !== this.lease.replica ? place.address : undefined;
  }

  /** That replica is unreachable, or has answered that it does not hold the device. */
  forget(deviceId: string): void {
    this.places.delete(deviceId);
  }

  /**
   * The request head for another replica.
   * @param drop headers to remove, in lower case
   */
  lines(request: IncomingMessage, ...drop: string[]): string[] {
    const kept = passOn(request.rawHeaders, (name, value) =>
      name === 'x-forwarded-for' || drop.includes(name) ? undefined : value,
    );
    return [...kept, 'X-Forwarded-For', this.address.of(request), 'Warren-Passed', '1'];
  }

  /** @throws Fault `unavailable` if the replica does not answer */
  async ask(upgrade: Upgrade, address: string, lines: HeaderLines): Promise<Answer> {
    const { url: path, headers } = upgrade.request;
    const head = [...lines, 'Connection', 'Upgrade', 'Upgrade', headers.upgrade ?? ''];
    return askUpgrade({ address, name: "The device's replica", path, lines: head }, upgrade).catch(replicaDown);
  }

  /** Returns the response, and relays bytes both ways after an upgrade. Never rejects. */
  async pass(kind: PassedKind, upgrade: Upgrade, answer: Answer): Promise<void> {
    if (!answer.upstream) return passAnswer(answer.message, upgrade.socket);
    this.follow(kind, upgrade.socket, splice(upgrade, answer));
  }

  /** Closes forwarded connections; browsers reconnect through another replica. */
  close(): void {
    for (const socket of this.open) socket.destroy();
  }

  /** A separate, unawaited function: its closure would keep the request for as long as the connection lasts. */
  private follow(kind: PassedKind, socket: Upgrade['socket'], carried: Promise<unknown>): void {
    this.open.add(socket);
    passedOpen.inc({ kind });
    void carried.then(() => {
      passedOpen.dec({ kind });
      this.open.delete(socket);
    });
  }

  private async locate(deviceId: string) {
    const location = await this.directory.locate(deviceId).catch((cause: unknown) => {
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause, retryAfter: RETRY_S });
    });
    if (location) this.places.set(deviceId, { replica: location.replica, address: location.address });
    return location;
  }
}

/** Hides the error of the connection between replicas: it would look like the device's. */
export function replicaDown(): never {
  throw new Fault('unavailable', "The device's replica does not answer.", { retryAfter: RETRY_S });
}
