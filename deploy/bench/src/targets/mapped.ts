import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { PipeTarget } from '../pipe.ts';

/** A port of this machine whose connections go through a relay, as a relay's own program on a person's machine offers it. */
export async function mapPort(target: PipeTarget): Promise<{ port: number; stop(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = net.createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
    void join(socket, target).catch(() => socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

async function join(socket: Socket, target: PipeTarget): Promise<void> {
  const pipe = await target.open();
  socket.once('close', () => pipe.close());
  if (socket.destroyed) return pipe.close();
  pipe.onData((bytes) => void socket.write(bytes));
  for await (const bytes of socket) await pipe.write(bytes as Buffer);
}
