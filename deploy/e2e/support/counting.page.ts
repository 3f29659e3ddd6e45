import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Asks for the next number again and again, and shows it; an answer that does not come is asked for once more. */
const PAGE = `<!doctype html><title>Counter</title><output></output><script>
const next = () => fetch('count').then((answer) => answer.text())
  .then((text) => { document.querySelector('output').textContent = text; }, () => {})
  .finally(() => setTimeout(next, 100));
next();
</script>`;

/** A web server of a device whose page counts as long as it is reached. */
export class CountingPage {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<CountingPage> {
    let count = 0;
    const server = createServer((request, response) => {
      const counts = request.url?.endsWith('/count');
      response.setHeader('content-type', counts ? 'text/plain' : 'text/html');
      response.end(counts ? String(++count) : PAGE);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CountingPage(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
