import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

export interface Place {
  host: string;
  port: number;
}

/** An HTTP proxy for a browser (CONNECT, RFC 9110, 9.3.6) that knows names which no DNS knows. */
export async function serveTunnel(where: (host: string) => Place | undefined): Promise<{ url: string; stop(): void }> {
  const server = createServer((_request, response) => void response.writeHead(405).end());
  server.on('connect', (request, socket, head) => {
    const place = where(new URL(`http://${request.url}`).hostname);
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
