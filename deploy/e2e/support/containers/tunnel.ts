import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

interface Place {
  host: string;
  port: number;
}

type Where = (host: string, port: number) => Place | undefined;

/** A request with its whole address, as browsers send those over plain http (RFC 9112, 3.2.2). */
function forward(request: IncomingMessage, response: ServerResponse, where: Where): void {
  const refuse = () => void (response.headersSent ? response.destroy() : response.writeHead(502).end());
  if (!URL.canParse(request.url ?? '')) return refuse();
  const { hostname, port, pathname, search } = new URL(request.url ?? '');
  const place = where(hostname, Number(port || 80));
  if (!place) return refuse();
  const { method, headers } = request;
  const there = ask({ ...place, method, headers, path: `${pathname}${search}` }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  there.on('error', refuse);
  request.pipe(there);
}

/** An HTTP proxy for a browser (CONNECT, RFC 9110, 9.3.6) that knows names which no DNS knows. */
export async function serveTunnel(where: Where): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => forward(request, response, where));
  server.on('connect', (request, socket, head) => {
    const { hostname, port } = new URL(`http://${request.url}`);
    const place = where(hostname, Number(port || 80));
    if (!place) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const there = connect(place.port, place.host, () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      there.write(head);
      socket.pipe(there).pipe(socket);
    });
    for (const end of [socket, there]) end.on('error', () => [socket, there].forEach((other) => other.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
