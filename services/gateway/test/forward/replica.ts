import type { Redis } from 'ioredis';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A tunnels replica as the gateway sees it: it echoes what it upgrades, and answers what the test says. */
export class Replica {
  readonly requests: IncomingMessage[] = [];
  readonly sockets = new Set<Socket>();
  answer: string | undefined;
  /** What happens between a request and its answer. */
  meanwhile: () => Promise<unknown> = async () => {};

  private constructor(
    readonly id: string,
    readonly server: http.Server,
  ) {}

  static async start(id: string): Promise<Replica> {
    const server = http.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const replica = new Replica(id, server);
    server.on('upgrade', async (request: IncomingMessage, socket: Socket) => {
      replica.sockets.add(socket);
      socket.on('error', () => {});
      replica.requests.push(request);
      await replica.meanwhile();
      if (replica.answer) return void socket.end(replica.answer);
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`,
      );
      socket.pipe(socket);
    });
    return replica;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async join(redis: Redis, fields: Record<string, string> = {}, url = this.url): Promise<void> {
    await redis.zadd('warren:replicas', Date.now() + 60_000, this.id);
    await redis.hset(`replica:${this.id}`, { address: url, load: '0', draining: '0', ...fields });
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
