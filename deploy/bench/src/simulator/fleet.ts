import { Backoff } from '@warren/agent/link/backoff';
import { HubClock } from '@warren/agent/link/clock';
import { dialToken } from '@warren/agent/link/credential';
import { dial, type Carrier } from '@warren/agent/link/dial';
import { LinkKeeper } from '@warren/agent/link/keeper';
import { serveLink, type RequestHandler } from '@warren/agent/link/link';
import { DialRefused } from '@warren/agent/link/refusal';
import { simulatedDevice, simulatedId } from '../data/simulated.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import pino from 'pino';
import { percentile } from '../stats.ts';
import { simulatedService } from './service.ts';

export interface FleetOptions {
  /** Origins to dial, in turn: one hub, or several of its gateways or replicas. */
  hubs: string[];
  /** What the tokens are for: the hub's public origin. */
  audience: string;
  /** What the keys of the devices follow from. */
  secret: string;
  agents: number;
  /** Milliseconds over which the first dials are spread. */
  rampMs: number;
  /** Whether the devices have samples of their usage; false if not given. */
  usage?: boolean;
}

/** How the fleet is, and what happened since the last `reset`. */
export interface FleetStats {
  agents: number;
  linked: number;
  /** Milliseconds since 1970 of the newest link. */
  lastLinkAt: number;
  /** Dials that were answered with a link, and how long those took, milliseconds. */
  dials: number;
  dialMs: { p50: number; p99: number; max: number } | undefined;
  /** Dials that were answered otherwise, by status; 0 for no answer. */
  refused: Record<number, number>;
  /** Bytes of TCP payload, both ways, of all links that are up. */
  bytes: number;
}

const VERSION = '0.1.0';
/**
 * Concurrent dials of one process. Real agents each have a CPU; here they share one, and if all dialled at once, each would time
 * out before its turn came. Still several times what a gateway accepts at once.
 */
const DIALS_AT_ONCE = 400;
const LOG = pino({ level: 'silent' });

/**
 * Many agents in one process. Each has a separate key and keeps its link with a real agent's code: token, dial,
 * HTTP/2, backoff and jitter. Only what lies behind the link is simulated.
 */
export class Fleet {
  readonly options: FleetOptions;
  private readonly handler: RequestHandler;
  private readonly keepers: LinkKeeper[] = [];
  private readonly carriers = new Map<number, Carrier>();
  private readonly stopped = new AbortController();
  private readonly turns = pLimit(DIALS_AT_ONCE);
  private dialTimes: number[] = [];
  private refused: Record<number, number> = {};
  private lastLinkAt = 0;

  constructor(options: FleetOptions) {
    this.options = options;
    this.handler = simulatedService(options.usage ?? false);
  }

  /** Starts every agent; resolves when the last has begun to dial. */
  async start(): Promise<void> {
    const { agents, rampMs } = this.options;
    const begun = performance.now();
    for (let n = 1; n <= agents && !this.stopped.signal.aborted; n++) {
      const due = (rampMs * n) / agents - (performance.now() - begun);
      if (due > 5) await sleep(due, undefined, { signal: this.stopped.signal }).catch(() => {});
      this.run(n);
    }
  }

  stats(): FleetStats {
    const times = this.dialTimes;
    let bytes = 0;
    for (const { stream } of this.carriers.values()) bytes += stream.bytesRead + stream.bytesWritten;
    return {
      agents: this.options.agents,
      linked: this.carriers.size,
      lastLinkAt: this.lastLinkAt,
      dials: times.length,
      dialMs: times.length
        ? { p50: percentile(times, 0.5), p99: percentile(times, 0.99), max: percentile(times, 1) }
        : undefined,
      refused: { ...this.refused },
      bytes,
    };
  }

  /** How many are linked; asked for often, it costs less than `stats`. */
  get linked(): number {
    return this.carriers.size;
  }

  /** The id of some device that is linked, undefined when none is. */
  pick(): string | undefined {
    const linked = [...this.carriers.keys()];
    const n = linked[Math.floor(Math.random() * linked.length)];
    return n === undefined ? undefined : simulatedId(n);
  }

  /** Restarts the count of dials. */
  reset(): void {
    this.dialTimes = [];
    this.refused = {};
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.keepers.map((keeper) => keeper.stop()));
  }

  private run(n: number): void {
    const { hubs, audience, secret } = this.options;
    const device = simulatedDevice(secret, n);
    const hub = hubs[n % hubs.length] as string;
    const clock = new HubClock();
    const instance = randomUUID();
    const keeper = new LinkKeeper({
      dial: (signal) =>
        this.turns(async () => {
          signal.throwIfAborted();
          const begun = performance.now();
          const token = dialToken(device, { device_id: device.id, audience }, clock.now(), instance);
          const carrier = await this.counted(dial({ hub, token, version: VERSION, clock, signal }));
          this.dialTimes.push(performance.now() - begun);
          return carrier;
        }),
      serve: (carrier) => {
        this.carriers.set(n, carrier);
        this.lastLinkAt = Date.now();
        const link = serveLink(carrier, this.handler);
        void link.closed.then(() => {
          if (this.carriers.get(n) === carrier) this.carriers.delete(n);
        });
        return link;
      },
      onState: () => {},
      log: LOG,
      backoff: new Backoff(),
    });
    this.keepers.push(keeper);
    void keeper.run();
  }

  private async counted(dialled: Promise<Carrier>): Promise<Carrier> {
    try {
      return await dialled;
    } catch (error) {
      const status = error instanceof DialRefused ? error.status : 0;
      this.refused[status] = (this.refused[status] ?? 0) + 1;
      throw error;
    }
  }
}
