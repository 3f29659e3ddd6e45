import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Makes two connected sockets of this machine.
 * @throws Error when the system has none left
 */
export async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const one = createConnection({ port, host: '127.0.0.1', noDelay: true });
    const other = accepted(server, one);
    await once(one, 'connect');
    return [one, await other];
  } finally {
    server.close();
  }
}

/** Accepts the connection that `one` made; any other client of the port in that moment is refused. */
function accepted(server: ReturnType<typeof createServer>, one: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    one.once('error', reject);
    server.on('connection', async (socket: Socket) => {
      if (one.connecting) await once(one, 'connect').catch(() => {});
      if (socket.remotePort === one.localPort) resolve(socket);
      else socket.destroy();
    });
  });
}
