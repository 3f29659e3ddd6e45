import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** An HTTP proxy that connects to wherever it is asked to, if the client gives the password. */
export class TestProxy {
  readonly asked: string[] = [];
  private server: Server = createServer((_request, response) => response.writeHead(405).end());
  private sockets = new Set<Duplex>();

  async start(): Promise<this> {
    this.server.on('connect', (request, socket: Duplex) => {
      this.sockets.add(socket);
      socket.on('error', () => {});
      this.asked.push(request.url ?? '');
      const expected = `Basic ${Buffer.from('fleet:s3cret').toString('base64')}`;
      if (request.headers['proxy-authorization'] !== expected) {
        return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      }
      const [host, port] = (request.url ?? '').split(':');
      const to = net.connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(to).pipe(socket);
      });
      to.on('error', () => socket.destroy());
      this.sockets.add(to);
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  url(password: string): string {
    return `http://fleet:${password}@127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
