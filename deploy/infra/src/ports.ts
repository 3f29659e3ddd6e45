import { randomInt } from 'node:crypto';
import { createConnection, createServer } from 'node:net';

/**
 * Linux does not assign ports of this range (ip(7), `ip_local_port_range`), so neither another server nor an outgoing connection can take
 * one before its use, even while a server restarts.
 * `fetch` and browsers call no server on 10080 (Fetch Standard, 'port blocking').
 */
const FIRST = 10_081;
const LAST = 32_767;
const ATTEMPTS = 100;

/** Ports that this process has reserved. */
const given = new Set<number>();

/** Reserves a free TCP port of the loopback address. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST + 1);
    if (given.has(port) || (await portRefusal(host, port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port of ${host} was found between ${FIRST} and ${LAST}`);
}

/** Returns undefined if a server can listen on the port, else the error code, such as EADDRINUSE or EACCES. */
export function portRefusal(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Opens a TCP connection, sends `say` if given, and resolves with the first bytes of the answer.
 * Rejects without a server, or without an answer within the timeout (milliseconds).
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
