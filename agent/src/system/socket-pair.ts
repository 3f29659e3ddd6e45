import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes two ends of one local connection, through a socket file that only this user could reach and that is deleted again. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-agent-'));
  const server = createServer();
  try {
    const path = join(folder, 'link');
    server.listen(path);
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const near = connect(path);
    const [[far]] = await Promise.all([accepted, once(near, 'connect')]);
    return [near, far];
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
