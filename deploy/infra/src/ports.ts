import { createConnection, createServer } from 'node:net';

/** A TCP port of the loopback address that was free a moment ago. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port given')),
      );
    });
  });
}

/** Undefined when the port can be listened on, else the code of the refusal, such as EADDRINUSE or EACCES. */
export function portRefusal(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Opens a TCP connection, sends `say` if given, and resolves with the first bytes of the answer.
 * Rejects when nothing listens or nothing is answered within the time (milliseconds).
 */
export function ask(host: string, port: number, say?: string, timeout = 1000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(timeout, () => fail(new Error(`no answer from ${host}:${port} within ${timeout} ms`)));
    socket.once('error', fail);
    socket.once('close', () => fail(new Error(`${host}:${port} closed the connection`)));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString('latin1'));
    });
    if (say) socket.write(say);
  });
}
