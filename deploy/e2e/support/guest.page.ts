import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Says its name, the state of its WebSocket, and how many bytes of an endless download have come. */
const page = (name: string) => `<!doctype html><title>${name}</title><h1>${name}</h1>
<p>Socket <output id="socket">none</output></p><p>Download <output id="download">none</output></p><script>
const say = (id, text) => { document.getElementById(id).textContent = text; };
const socket = new WebSocket('ws://' + location.host + '/socket');
socket.onopen = () => say('socket', 'open');
socket.onclose = () => say('socket', 'closed');
const read = async () => {
  const reader = (await fetch('/download')).body.getReader();
  for (;;) { const { done } = await reader.read(); if (done) throw new Error('over'); say('download', 'running'); }
};
read().catch(() => say('download', 'cut'));
</script>`;

/** A web server of a device that holds a WebSocket and a download open for each page. */
export class GuestPageServer {
  /** The `Cookie` headers of all requests. */
  readonly cookies: string[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Duplex>();

  private constructor(readonly name: string) {
    this.server = createServer((request, response) => {
      this.note(request);
      if (request.url !== '/download') return void response.setHeader('content-type', 'text/html').end(page(name));
      const timer = setInterval(() => response.write('.'.repeat(1_024)), 100);
      response.once('close', () => clearInterval(timer));
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      this.note(request);
      this.sockets.add(socket);
      socket.on('error', () => {}).once('close', () => this.sockets.delete(socket));
      // Sockets of a server stay half open otherwise.
      socket.resume().once('end', () => socket.destroy());
      const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
      const lines = ['Connection: Upgrade', 'Upgrade: websocket', `Sec-WebSocket-Accept: ${accept}`];
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    });
  }

  static async start(name: string): Promise<GuestPageServer> {
    const made = new GuestPageServer(name);
    made.server.listen(0, '127.0.0.1');
    await once(made.server, 'listening');
    return made;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** How many WebSockets are open. */
  get open(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private note({ headers }: IncomingMessage): void {
    this.cookies.push(headers.cookie ?? '');
  }
}
