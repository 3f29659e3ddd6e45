import net from 'node:net';
import type { Duplex } from 'node:stream';
import { isFast } from './fast.path.ts';

/** Node's handle of the system's connection in a socket. */
interface Handle {
  reading: boolean;
  readStop(): number;
}
type Held = { _handle: Handle | null };

/** A connection without its first socket object, and the bytes which that object had already read. */
export interface BareSocket {
  socket: net.Socket;
  rest: Buffer | null;
}

/** Whether `bare` can take it: connected plain TCP with no pending writes. */
export function canBeBare(former: Duplex): former is net.Socket {
  if (!(former instanceof net.Socket) || former.destroyed || former.connecting) return false;
  if (former.writableLength > 0 || former.writableEnded) return false;
  const handle = (former as unknown as Held)._handle;
  return handle?.constructor.name === 'TCP' && isFast('splice', () => isHandle(handle));
}

function isHandle(handle: Partial<Handle>): boolean {
  return typeof handle.readStop === 'function' && typeof handle.reading === 'boolean';
}

/**
 * Moves a connection to a new socket that reads into our buffers, which Node permits at construction only. The connection
 * changes hands as in `child_process` when it is sent to another process. The former socket can still be destroyed and still
 * reports the end.
 * @param former one of which `canBeBare` is true
 */
export function bare(former: net.Socket, onread: net.OnReadOpts): BareSocket {
  const rest = former.read() as Buffer | null;
  const held = former as unknown as Held;
  const handle = held._handle as Handle;
  handle.readStop();
  handle.reading = false;
  held._handle = null;
  const options = { handle, onread, allowHalfOpen: true, highWaterMark: 1 };
  const socket = new net.Socket(options as unknown as net.SocketConstructorOpts);
  former.once('close', () => socket.destroy());
  socket.once('close', () => former.destroy());
  return { socket, rest };
}
