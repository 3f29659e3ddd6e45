import { Injectable } from '@nestjs/common';
import { ReplicaDirectory, type Replica } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const KNOWN_MS = 500;
const PROBE_FOR_MS = 7_000;
const MAX_WAITING = 20_000;
const PROBE_EVERY_MS = 100;
const PROBE_MS = 1_000;
const RETRY_S = 1;

/** The ready tunnels replicas. Any of them finds the device that a connection is for. */
@Injectable()
export class TunnelsReplicas {
  private known: { at: number; replicas: Promise<Replica[]> } | undefined;
  /** Connections brought to a replica since its load was last read. */
  private readonly brought = new Map<string, number>();
  private probing: Promise<void> | undefined;
  private waiting = 0;

  constructor(private readonly directory: ReplicaDirectory) {}

  /**
   * Picks the less loaded of two random replicas, so that many gateways do not crowd one. While a probe runs, waits for its end.
   * @param not an address that failed: picked again only if there is no other
   * @returns `http://host:port`
   * @throws Fault `unavailable` when no replica is ready, the directory does not answer, or too many wait
   */
  async pick(not?: string): Promise<string> {
    if (this.probing) await this.wait(this.probing);
    const ready = (await this.live()).filter(({ draining }) => !draining);
    const others = ready.filter(({ address }) => address !== not);
    const candidates = others.length > 0 ? others : ready;
    const one = candidates[Math.floor(Math.random() * candidates.length)];
    const other = candidates[Math.floor(Math.random() * candidates.length)];
    if (!one || !other) throw new Fault('unavailable', 'No tunnels replica is up.', { retryAfter: RETRY_S });
    const chosen = this.loadOf(one) <= this.loadOf(other) ? one : other;
    this.brought.set(chosen.id, (this.brought.get(chosen.id) ?? 0) + 1);
    return chosen.address;
  }

  /** Probes until some replica accepts connections, for 7 s at most. One probe serves all that wait, as during a restart. */
  probe(): void {
    this.probing ??= this.untilReady(performance.now() + PROBE_FOR_MS).finally(() => (this.probing = undefined));
  }

  private async wait(ready: Promise<void>): Promise<void> {
    if (this.waiting >= MAX_WAITING) {
      throw new Fault('unavailable', 'Too many connections wait for a tunnels replica.', { retryAfter: RETRY_S });
    }
    this.waiting++;
    await ready;
    this.waiting--;
  }

  private async untilReady(deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      const replicas = await this.live().catch(() => []);
      for (const { address, draining } of replicas) if (!draining && (await acceptsConnections(address))) return;
      await wait(PROBE_EVERY_MS);
    }
  }

  private loadOf({ id, load }: Replica): number {
    return load + (this.brought.get(id) ?? 0);
  }

  private async live(): Promise<Replica[]> {
    if (!this.known || performance.now() - this.known.at > KNOWN_MS) {
      this.known = { at: performance.now(), replicas: this.directory.liveReplicas() };
      this.brought.clear();
    }
    try {
      return await this.known.replicas;
    } catch (cause) {
      this.known = undefined;
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause, retryAfter: RETRY_S });
    }
  }
}

function acceptsConnections(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port), timeout: PROBE_MS });
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
