import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server on a free port of this machine's loopback, as a program on a device is one. */
export class LocalServer {
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(listener: RequestListener): Promise<LocalServer> {
    const server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LocalServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
