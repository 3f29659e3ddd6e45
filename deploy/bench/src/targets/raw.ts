import { fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import type { Pipe } from '../pipe.ts';

/** Starts the server at the far end. */
export async function startRawServer(): Promise<{ port: number; stop: () => Promise<void> }> {
  const child = fork(join(import.meta.dirname, 'raw.server.ts'), { stdio: 'inherit' });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

/** A plain TCP connection. */
export async function openTcp(port: number): Promise<Pipe> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let listener: (bytes: Buffer) => void = () => undefined;
  socket.on('data', (data: Buffer) => listener(data));
  return {
    write: async (bytes) => {
      if (!socket.write(bytes)) await once(socket, 'drain');
    },
    onData: (next) => (listener = next),
    close: () => socket.destroy(),
  };
}
