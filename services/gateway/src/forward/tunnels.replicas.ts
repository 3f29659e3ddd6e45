import { Injectable } from '@nestjs/common';
import { ReplicaDirectory, type Replica } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';

const KNOWN_MS = 500;
const RETRY_S = 1;

/** The ready tunnels replicas. Any of them finds the device that a connection is for. */
@Injectable()
export class TunnelsReplicas {
  private known: { at: number; replicas: Promise<Replica[]> } | undefined;

  constructor(private readonly directory: ReplicaDirectory) {}

  /**
   * Picks the less loaded of two random replicas, so that many gateways do not crowd one.
   * @param not an address that failed: picked again only if there is no other
   * @returns `http://host:port`
   * @throws Fault `unavailable` when no replica is ready or the directory does not answer
   */
  async pick(not?: string): Promise<string> {
    const ready = (await this.live()).filter(({ draining }) => !draining);
    const others = ready.filter(({ address }) => address !== not);
    const candidates = others.length > 0 ? others : ready;
    const one = random(candidates);
    const other = random(candidates);
    if (!one || !other) throw new Fault('unavailable', 'No tunnels replica is up.', { retryAfter: RETRY_S });
    return one.load <= other.load ? one.address : other.address;
  }

  private async live(): Promise<Replica[]> {
    if (!this.known || performance.now() - this.known.at > KNOWN_MS)
      this.known = { at: performance.now(), replicas: this.directory.liveReplicas() };
    try {
      return await this.known.replicas;
    } catch (cause) {
      this.known = undefined;
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause, retryAfter: RETRY_S });
    }
  }
}

function random<T>(items: readonly T[]): T | undefined {
  return items[Math.floor(Math.random() * items.length)];
}
