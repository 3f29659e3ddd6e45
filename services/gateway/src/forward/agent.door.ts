import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Destinations } from './destinations.ts';
import { DialQueue } from './dial.queue.ts';
import type { Answer, Upgrade } from '@warren/platform/relay/upgrade';

/** Dials that are under way to tunnels replicas. */
const AT_ONCE = 64;
/** An agent gives up after 15 s; what it waits for here and for its turn stays below that. */
const LONGEST_QUEUE_MS = 4_000;
const LONGEST_HOLD_MS = 7_000;
/** Agents that wait here for a replica to be up. */
const MAX_HELD = 20_000;
const LOOK_EVERY_MS = 100;
const LOOK_MS = 1_000;
const RETRY_S = 1;

/** Brings dialling agents to a replica: in turn, and while none is up, which a restart takes, as soon as one is. */
@Injectable()
export class AgentDoor {
  private readonly queue = new DialQueue({ atOnce: AT_ONCE, longestMs: LONGEST_QUEUE_MS });
  private looking: Promise<void> | undefined;
  private held = 0;

  constructor(private readonly destinations: Destinations) {}

  /**
   * @param ask asks the replica at an address; rejects when it can't be reached
   * @throws Fault `unavailable` when too many dial, or no replica is up for a while
   */
  async pass({ socket }: Upgrade, ask: (address: string) => Promise<Answer>): Promise<Answer> {
    const deadline = performance.now() + LONGEST_HOLD_MS;
    for (;;) {
      if (this.looking) await this.hold(this.looking);
      try {
        return await this.queue.run(() => this.once(ask));
      } catch (error) {
        // The queue, and a replica that answers, say themselves when to come back.
        if (!(error instanceof Unreachable)) throw error;
        if (socket.destroyed || performance.now() > deadline) throw error.fault;
        this.looking ??= this.look(deadline).finally(() => (this.looking = undefined));
      }
    }
  }

  /** Any replica will do, so one that can't be reached is not the end. */
  private async once(ask: (address: string) => Promise<Answer>): Promise<Answer> {
    let tried: string | undefined;
    try {
      tried = (await this.destinations.ofAgent()).address;
      return await ask(tried);
    } catch (error) {
      const other = tried && (await this.destinations.ofAgent(tried).catch(() => undefined))?.address;
      if (!other || other === tried) throw Unreachable.of(error);
      return ask(other).catch((cause: unknown) => {
        throw Unreachable.of(cause);
      });
    }
  }

  private async hold(until: Promise<void>): Promise<void> {
    if (this.held >= MAX_HELD) throw new Fault('unavailable', 'Too many devices wait.', { retryAfter: RETRY_S });
    this.held++;
    await until;
    this.held--;
  }

  /** One look for all who wait: resolves when some replica takes connections, or at the deadline. */
  private async look(deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      const to = await this.destinations.ofAgent().catch(() => undefined);
      if (to && (await takesConnections(to.address))) return;
      await wait(LOOK_EVERY_MS);
    }
  }
}

class Unreachable extends Error {
  private constructor(readonly fault: Fault) {
    super(fault.message);
  }

  static of(error: unknown): unknown {
    return error instanceof Fault && error.code === 'unavailable' ? new Unreachable(error) : error;
  }
}

function takesConnections(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: LOOK_MS });
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
