import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Properties of a network. */
export interface Weather {
  /** Latency in milliseconds. */
  delay: number;
  /** Bytes per second, per direction and connection. */
  rate: number;
  /** Loss as an application over TCP sees it: a piece that is sent again, and all behind it, come later. */
  loss?: Loss;
}

/** Lost pieces of a connection. */
interface Loss {
  /** One of so many pieces is lost, in each direction. */
  of: number;
  /** Milliseconds until it is sent again. */
  again: number;
}

const CLEAR: Weather = { delay: 0, rate: Infinity };

/** Pieces that a delayed connection carries at once, in each direction. */
const MOST_FLYING = 256;

interface Pair {
  near: Socket;
  far: Socket;
  deaf: boolean;
}

/**
 * A proxy that simulates a network: a test can cut it, slow it down, or make it drop all bytes. It is between a client and a port of this
 * machine, or between clients and replicas of a server, round-robin over those that answer.
 */
export class Proxy {
  weather: Weather = CLEAR;
  private readonly server: Server;
  private readonly ports: number[];
  private readonly pairs = new Set<Pair>();
  private closed = false;
  private held: Promise<undefined> | undefined;
  private turn = 0;

  private constructor(server: Server, ports: number[]) {
    this.server = server;
    this.ports = ports;
  }

  static async start(...ports: number[]): Promise<Proxy> {
    const server = createServer({ pauseOnConnect: true });
    const proxy = new Proxy(server, ports);
    server.on('connection', (near) => void proxy.meet(near));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Resets every connection. */
  reset(): void {
    for (const { near, far } of this.pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** Silently drops all bytes of open connections: half-open, as after a NAT dropped its state. */
  deafen(): void {
    for (const pair of this.pairs) pair.deaf = true;
  }

  /** Simulates a lost network: open connections become silent, and new ones get no answer. */
  unplug(): void {
    this.closed = true;
    this.deafen();
  }

  plug(): void {
    this.closed = false;
  }

  /** Queues new connections until the returned function is called; open ones are not affected. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.held = promise;
    return () => {
      this.held = undefined;
      resolve(undefined);
    };
  }

  /** Restores the network. */
  clear(): void {
    this.weather = CLEAR;
    this.plug();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.reset();
  }

  private async meet(near: Socket): Promise<void> {
    near.on('error', () => {});
    await this.held;
    const far = await this.reach();
    if (far) this.join(near, far);
    else near.resetAndDestroy();
  }

  /** Connects to the next target that accepts; undefined without one. */
  private async reach(): Promise<Socket | undefined> {
    const first = this.turn++;
    for (let offset = 0; offset < this.ports.length; offset++) {
      const port = this.ports[(first + offset) % this.ports.length] ?? 0;
      const far = connect({ port, host: '127.0.0.1' });
      try {
        await once(far, 'connect');
        return far;
      } catch {
        far.destroy();
      }
    }
    return undefined;
  }

  private join(near: Socket, far: Socket): void {
    const pair: Pair = { near, far, deaf: this.closed };
    this.pairs.add(pair);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.pairs.delete(pair);
        // The end is dropped too.
        if (!pair.deaf) (socket === near ? far : near).destroy();
      });
    }
    void this.carry(pair, near, far);
    void this.carry(pair, far, near);
  }

  private async carry(pair: Pair, from: Socket, to: Socket): Promise<void> {
    // Pieces follow each other on a long line: the next one does not wait until this one has arrived.
    let arrival = Promise.resolve();
    let flying = 0;
    let sent = 0;
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        const { delay, rate, loss } = this.weather;
        if (rate < Infinity) await sleep((piece.length / rate) * 1_000);
        const isLost = loss !== undefined && ++sent % loss.of === 0;
        const late = isLost ? delay + loss.again : delay;
        const flight = late > 0 ? sleep(late) : undefined;
        flying += 1;
        arrival = arrival.then(async () => {
          await flight;
          if (!pair.deaf && !to.write(piece)) await drained(to);
          flying -= 1;
        });
        if (!flight || flying >= MOST_FLYING) await arrival;
      }
      await arrival;
      if (!pair.deaf) to.end();
    } catch {
      // The other side handles the error.
    }
  }
}

/** Settles once a socket takes more, or nothing any more. Never rejects: nobody may wait for it. */
const drained = (socket: Socket) => Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
