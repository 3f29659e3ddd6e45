import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a network treats what passes. */
export interface Weather {
  /** Milliseconds that each piece is on its way. */
  delay: number;
  /** Bytes in a second, each way and connection. */
  rate: number;
}

const CLEAR: Weather = { delay: 0, rate: Infinity };

interface Pair {
  near: Socket;
  far: Socket;
  deaf: boolean;
}

/** A network that a test can cut, slow down, or make swallow what passes, between a client and one port of this machine. */
export class Proxy {
  weather: Weather = CLEAR;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #closed = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(port: number): Promise<Proxy> {
    const server = createServer({ pauseOnConnect: true });
    const proxy = new Proxy(server);
    server.on('connection', (near) => proxy.#join(near, connect({ port, host: '127.0.0.1' })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets every connection. */
  reset(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** Swallows what passes on the connections that there are, and tells nobody: half-open, as after a NAT forgot them. */
  deafen(): void {
    for (const pair of this.#pairs) pair.deaf = true;
  }

  /** No network: what there is falls silent, and what comes new is not answered. */
  unplug(): void {
    this.#closed = true;
    this.deafen();
  }

  plug(): void {
    this.#closed = false;
  }

  /** As it was. */
  clear(): void {
    this.weather = CLEAR;
    this.plug();
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.reset();
  }

  #join(near: Socket, far: Socket): void {
    const pair: Pair = { near, far, deaf: this.#closed };
    this.#pairs.add(pair);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#pairs.delete(pair);
        // What is swallowed includes the end.
        if (!pair.deaf) (socket === near ? far : near).destroy();
      });
    }
    void this.#carry(pair, near, far);
    void this.#carry(pair, far, near);
  }

  async #carry(pair: Pair, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        const { delay, rate } = this.weather;
        if (delay > 0 || rate < Infinity) await sleep(delay + (piece.length / rate) * 1_000);
        if (!pair.deaf && !to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      if (!pair.deaf) to.end();
    } catch {
      // It broke, which the other side has been told.
    }
  }
}
