import { Socket, type OnReadOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { isFast } from './fast.path.ts';

/** Node's handle of a stream inside an HTTP/2 session. */
interface Handle {
  useUserBuffer(memory: Uint8Array): void;
  readStart(): void;
}

/** The names under which sockets keep `onread`; they work for HTTP/2 streams too. */
const socket = new Socket({ onread: { buffer: Buffer.alloc(1), callback: () => true } });
const [BUFFER, CALLBACK, NEXT] = ['kBuffer', 'kBufferCb', 'kBufferGen'].map((name) => symbolOf(socket, name));

/** Whether this Node has those names. */
export const canReadInto = (): boolean => isFast('stream memory', () => ![BUFFER, CALLBACK, NEXT].includes(undefined));

/** Reads a stream into our buffers, like `onread` of a socket. */
export interface Intaking {
  /** Returns the next buffer. It is filled before the next call. */
  buffer: () => Buffer;
  /** The buffer holds this many bytes. @returns false to stop reading until `resume`; bytes in flight still arrive, at most one window */
  callback: (length: number, memory: Buffer) => boolean;
}

/**
 * Has a stream of Node's HTTP/2 read into a buffer of ours. Otherwise Node allocates an object for each frame, and V8 has to find out
 * when the memory is free again. Node offers this for sockets only, at their construction.
 * @returns a function that resumes reading; undefined for other streams and without the fast path: the caller then reads `data`
 */
export function readInto(stream: Duplex, { buffer, callback }: Intaking): (() => void) | undefined {
  const key = symbolOf(stream, 'kHandle');
  const handle = key && (stream as unknown as Record<symbol, Partial<Handle> | undefined>)[key];
  if (!BUFFER || !CALLBACK || !NEXT || !canReadInto()) return undefined;
  if (stream instanceof Socket || !isHandle(handle)) return undefined;
  const early = stream.read() as Buffer | null;
  const first = buffer();
  const onread: OnReadOpts['callback'] = (length, memory) => callback(length, memory as Buffer);
  Object.assign(stream, { [BUFFER]: first, [CALLBACK]: onread, [NEXT]: buffer });
  handle.useUserBuffer(first);
  if (early) callback(early.length, early);
  stream.resume();
  return () => void (stream.destroyed || handle.readStart());
}

function isHandle(handle: Partial<Handle> | undefined): handle is Handle {
  return typeof handle?.useUserBuffer === 'function' && typeof handle.readStart === 'function';
}

function symbolOf(object: object, name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(object).find(({ description }) => description === name);
}
