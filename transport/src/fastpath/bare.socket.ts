import net from 'node:net';
import type { Duplex } from 'node:stream';
import { isFast } from './fast.path.ts';

/** What Node keeps of the system's connection in a socket. */
interface Handle {
  reading: boolean;
  readStop(): number;
}
type Held = { _handle: Handle | null };

/** A connection without what its first socket object carried along, and what had been read by that already. */
export interface BareSocket {
  socket: net.Socket;
  rest: Buffer | null;
}

/** Whether `bare` can take it: plain TCP that is connected, and no bytes wait to be written. */
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
 * Goes on with a connection in a new socket that reads into memory of ours, which Node permits at a socket's making only; so the
 * connection changes hands as `child_process` does it to send one away. The former socket stays good for being destroyed and for hearing
 * of the end.
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
